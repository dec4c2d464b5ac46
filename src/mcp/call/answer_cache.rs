//! Answers to questions about whole executions, kept so that more of their rows can be told without another replay.

use crate::mcp::lock::locked;
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// How many answers are kept; each has what its replay wrote down in a file.
const MOST: usize = 4;

/// An answer and what was asked.
type CachedAnswer = (String, Arc<dyn Any + Send + Sync>);

/// The last answers, the most recently used last.
#[derive(Default)]
pub(crate) struct Answers(Mutex<VecDeque<CachedAnswer>>);

impl Answers {
    /// Returns the answer to this question, if it is known, else what `ask` tells.
    pub(crate) fn get<T: Send + Sync + 'static, E>(
        &self,
        question: String,
        ask: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        if let Some(known) = self.known(&question) {
            return Ok(known);
        }
        // Others ask their questions meanwhile.
        let answer = Arc::new(ask()?);
        let mut kept = locked(&self.0);
        kept.retain(|(known, _)| *known != question);
        kept.push_back((question, answer.clone()));
        let excess = kept.len().saturating_sub(MOST);
        kept.drain(..excess);
        Ok(answer)
    }

    fn known<T: Send + Sync + 'static>(&self, question: &str) -> Option<Arc<T>> {
        let mut kept = locked(&self.0);
        let found = kept.iter().position(|(known, _)| known == question)?;
        let entry = kept.remove(found)?;
        kept.push_back(entry.clone());
        entry.1.downcast().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answers_are_known() {
        let answers = Answers::default();
        let ask = |question: &str, answer: u32| {
            let asked = answers.get(question.to_owned(), || Ok::<_, ()>(answer));
            *asked.unwrap()
        };
        assert_eq!((ask("a", 1), ask("a", 2)), (1, 1));
        for (number, question) in ["b", "c", "d"].into_iter().enumerate() {
            ask(question, number as u32 + 10);
        }
        assert_eq!(ask("a", 3), 1);
        ask("e", 20);
        assert_eq!((ask("a", 4), ask("b", 5)), (1, 5));
        assert_eq!(answers.get("x".to_owned(), || Err::<u32, _>("why")).unwrap_err(), "why");
        assert_eq!(ask("x", 6), 6);
    }
}

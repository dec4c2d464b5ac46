//! Questions of the prompt about the whole recording, in the words of the tools: `origin EXPRESSION` is `rr_origin`. An
//! open replay says what the expression means.

use super::redaction_for;
use crate::console::Inquiry;
use crate::mcp::call::{Keeping, find_rr, kept};
use crate::mcp::reply::{CachedAnswer, ToolError};
use crate::mcp::tools::heap;
use crate::mcp::tools::origin::view::OriginView;
use crate::mcp::tools::origin::{self, asked};
use crate::mcp::tools::races;
use crate::mcp::tools::races::view::RacesView;
use crate::mcp::tools::why::view::WhyView;
use crate::mcp::tools::{MOST_HOPS, MOST_RACES};
use base::cancel::Cancel;
use engine::Engine;
use questions::{Execution, HeapCalls, LONGEST_VALUE, Origin, OriginQuery, Races, Why, WhyQuery};
use std::path::{Path, PathBuf};

/// Answers a question about what an expression means in the selected frame of a replay, which stays where it is. It is
/// cancelled with the engine's call.
///
/// # Errors
/// In words, if the expression makes no sense or the recording cannot be replayed.
pub fn inquire(engine: &mut Engine, inquiry: Inquiry, expression: &str) -> Result<String, String> {
    let cancel = engine.cancel().clone();
    let Some(trace) = engine.trace().map(Path::to_owned) else {
        return Err("the session's recording is not known: use a watchpoint".to_owned());
    };
    let redaction = redaction_for([trace.as_path()], &cancel);
    let answer = Asking { engine, trace, expression, cancel }.answer(inquiry);
    answer.map(|text| redaction.mask_text(&text)).map_err(|ToolError(why)| redaction.mask_text(&why))
}

/// A question about an open replay.
struct Asking<'e> {
    engine: &'e mut Engine,
    trace: PathBuf,
    expression: &'e str,
    cancel: Cancel,
}

impl Asking<'_> {
    fn answer(&mut self, inquiry: Inquiry) -> Result<String, ToolError> {
        match inquiry {
            Inquiry::Origin => self.origin().map(|answer| answer.to_string()),
            Inquiry::Races => self.races().map(|answer| answer.to_string()),
            Inquiry::Heap => self.heap().map(|answer| answer.to_string()),
            Inquiry::Why => self.why().map(|answer| answer.to_string()),
        }
    }

    fn origin(&mut self) -> Result<CachedAnswer<OriginView>, ToolError> {
        let text = self.expression;
        let held = self.engine.in_frame_that_knows(|engine| engine.held_or_characters(text, LONGEST_VALUE))?;
        let keeping = Keeping::of(&[&self.trace], &asked(&held, text, false, MOST_HOPS));
        if let Some(again) = keeping.again() {
            return Ok(again);
        }
        let query = OriginQuery {
            held,
            expression: text.to_owned(),
            through_arithmetic: false,
            max_hops: MOST_HOPS,
            patience: origin::PATIENCE,
        };
        let origin = Origin::ask(&find_rr(&self.cancel)?, &self.trace, &query, &self.cancel)?;
        let sources = origin::sources(self.engine, origin::places(&origin))?;
        let is_whole = origin::is_whole(&origin, &sources);
        let view = OriginView::new(text.to_owned(), &origin, sources);
        if is_whole {
            keeping.keep(&view);
        }
        Ok(CachedAnswer::New(view))
    }

    fn races(&mut self) -> Result<CachedAnswer<RacesView>, ToolError> {
        let Self { engine, trace, expression, cancel } = self;
        let object = engine.in_frame_that_knows(|engine| engine.object(expression))?;
        let query = races::query(trace, &object)?;
        let page = (0u64, MOST_RACES);
        let answer = kept(&[trace], &format!("rr_races {query:?} {page:?} {expression}"), || {
            let races = Races::ask(&find_rr(cancel)?, trace, &query, cancel)?;
            Ok::<_, questions::Error>(RacesView::new(expression, &object, &races, page.0, page.1))
        })?;
        Ok(answer)
    }

    fn heap(&mut self) -> Result<CachedAnswer<heap::view::HeapView>, ToolError> {
        let Self { engine, trace, expression, cancel } = self;
        let pointer = engine.in_frame_that_knows(|engine| engine.pointer(expression))?;
        let query = heap::query(&pointer);
        let answer = kept(&[trace], &format!("rr_heap {query:?} {expression}"), || {
            let rr = find_rr(cancel)?;
            let calls = HeapCalls::ask(&rr, trace, cancel)?;
            let heap = calls.block(&rr, trace, &query, cancel)?;
            Ok::<_, questions::Error>(heap::view::HeapView::new((*expression).to_owned(), &heap))
        })?;
        Ok(answer)
    }

    fn why(&mut self) -> Result<CachedAnswer<WhyView>, ToolError> {
        let Self { trace, expression, cancel, .. } = self;
        let query = WhyQuery { location: (*expression).to_owned(), at: None };
        let answer = kept(&[trace], &format!("rr_why {query:?}"), || {
            let rr = find_rr(cancel)?;
            let execution = Execution::ask(&rr, trace, cancel)?;
            let why = Why::ask(&rr, trace, &execution, &query, cancel)?;
            Ok::<_, questions::Error>(WhyView::new(&why))
        })?;
        Ok(answer)
    }
}

//! Long work on debug info: how far it is, and how it is cancelled.
//!
//! Work begins deep inside a question (the type of a member, declared only, is looked up by name, so the names of a
//! file are read), and what it makes is kept for the next one. Work that is cancelled therefore ends by
//! unwinding: no answer is made of the half that was read, and none is kept anywhere. It begins anew when it is needed
//! again. No panic message is printed, for it is none.
//!
//! It unwinds as far as to the image that was asked, and no farther: to whoever asked, the image has no answer, and
//! none to what is asked next, until the whole question ends, and says that it was cancelled.

use base::cancel::Cancel;
use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Work that takes less than this is done rather than given up: what one asks for is often of use to who has just
/// interrupted something else, such as the line of a stop.
const GRACE: Duration = Duration::from_millis(30);

/// What reading names is called.
pub(crate) const READING: &str = "reading debug info of";

/// Who waits looks so often whether that is cancelled.
const LOOKED_AT_ONCE: Duration = Duration::from_millis(20);

/// The long work of some images, as others see it. Clones are the same. Several threads may ask the images at the same
/// time; what is cancelled for one of them goes on for the others.
#[derive(Clone, Default)]
pub struct Work(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The questions that are asked at present, by who asks; each thread has one at a time.
    questions: Mutex<HashMap<Asker, Question>>,
    /// What is being done, the innermost last.
    tasks: Mutex<Vec<Arc<Counts>>>,
    /// No grace.
    #[cfg(test)]
    strict: bool,
    #[cfg(test)]
    looked: Mutex<Option<Arc<dyn Fn() + Send + Sync>>>,
}

/// The question that work is done for.
struct Question {
    cancel: Cancel,
    /// When it was first seen to be cancelled.
    cancelled_since: Option<Instant>,
    /// The work for it that was cancelled.
    cancelled: Option<CancelledWork>,
}

/// The thread that asks a question; others may help it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Asker(ThreadId);

impl Asker {
    /// Returns who asks what this thread works on.
    pub(crate) fn current() -> Self {
        Self(HELPS.get().unwrap_or_else(|| thread::current().id()))
    }

    /// Works on this thread for whoever asks, on the answer to a question to an image.
    pub(crate) fn help<R>(self, work: impl FnOnce() -> R) -> R {
        HELPS.set(Some(self.0));
        let result = answering(work);
        HELPS.set(None);
        result
    }
}

/// Somebody is asking.
struct Asking<'w> {
    work: &'w Work,
    asker: Asker,
    /// In the course of this question.
    outer: Option<Question>,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let mut questions = locked(&self.work.0.questions);
        match self.outer.take() {
            Some(outer) => drop(questions.insert(self.asker, outer)),
            None => drop(questions.remove(&self.asker)),
        }
    }
}

thread_local! {
    /// Whether this thread is answering a question to an image.
    static ANSWERS: Cell<bool> = const { Cell::new(false) };
    /// The thread that this one works for, if it was started for that.
    static HELPS: Cell<Option<ThreadId>> = const { Cell::new(None) };
}

/// Works on the answer to a question to an image.
pub(crate) fn answering<R>(work: impl FnOnce() -> R) -> R {
    /// However that ends.
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ANSWERS.set(self.0);
        }
    }
    let _before = Before(ANSWERS.replace(true));
    work()
}

/// How far long work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// `reading debug info of`.
    what: &'static str,
    file: Arc<str>,
    /// Of `total`.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
    measure: Measure,
}

/// What progress is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Bytes,
    Units,
    Symbols,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MEGABYTE: u64 = 1_000_000;
        let (size, unit) = match self.measure {
            Measure::Bytes if self.total >= 10 * MEGABYTE => (MEGABYTE, "MB"),
            Measure::Bytes => (1000, "kB"),
            Measure::Units => (1, "units"),
            Measure::Symbols => (1, "symbols"),
        };
        let Self { what, file, done, total, .. } = self;
        write!(f, "{what} {file}: {} of {} {unit}", done / size, total / size)
    }
}

/// Long work that was cancelled before it was done; nothing of it is kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped {0}")]
pub struct CancelledWork(
    /// How far it was.
    pub Progress,
);

impl Work {
    /// Asks something of images, whose long work ends when this is cancelled. From then on they have no answers for
    /// this question, and what has come of it is not given: it may be made of answers that were none. Whoever keeps
    /// something in the course of it [looks](Self::check) before.
    ///
    /// Nothing is ever given up in a program that is built to abort on panics: there is no unwinding.
    ///
    /// # Errors
    /// What was cancelled.
    pub fn attempt<R>(&self, cancel: &Cancel, ask: impl FnOnce() -> R) -> Result<R, CancelledWork> {
        // Who asks in the course of a question that was cancelled has nothing to ask.
        self.check()?;
        let (answer, whole) = self.ask(cancel, ask);
        whole.map(|()| answer)
    }

    /// Asks as [`Self::attempt`] does, and returns what has come of it in any case.
    pub fn ask<R>(&self, cancel: &Cancel, ask: impl FnOnce() -> R) -> (R, Result<(), CancelledWork>) {
        let _asking = self.begin_asking(cancel);
        (ask(), self.check())
    }

    fn begin_asking(&self, cancel: &Cancel) -> Asking<'_> {
        let question = Question { cancel: cancel.clone(), cancelled_since: None, cancelled: None };
        let asker = Asker::current();
        let outer = locked(&self.0.questions).insert(asker, question);
        Asking { work: self, asker, outer }
    }

    /// Fails if the present question is not answered any more.
    ///
    /// # Errors
    /// What was cancelled of it.
    pub fn check(&self) -> Result<(), CancelledWork> {
        let questions = locked(&self.0.questions);
        questions.get(&Asker::current()).and_then(|question| question.cancelled.clone()).map_or(Ok(()), Err)
    }

    /// Returns whether whoever asks the present question has not waited for its answer for longer than the grace that short work has.
    pub fn is_cancelled(&self) -> bool {
        let mut questions = locked(&self.0.questions);
        let question = questions.get_mut(&Asker::current());
        let Some(question) = question.filter(|question| question.cancel.is_cancelled()) else { return false };
        question.cancelled_since.get_or_insert_with(Instant::now).elapsed() >= GRACE
    }

    /// Answers a question to an image. This is as far as work unwinds that is cancelled: `none` is the answer then, and
    /// to whatever is asked next.
    ///
    /// What an image asks in turn to be able to answer, of itself, of other images and of whoever asked it, goes with
    /// the answer.
    pub(crate) fn answer<R>(&self, ask: impl FnOnce() -> R, none: impl FnOnce() -> R) -> R {
        if ANSWERS.get() {
            return ask();
        }
        if self.check().is_err() {
            return none();
        }
        // Caches of an image are filled when what they are to have is whole; what others lend it to ask them is not
        // changed by its questions.
        catch_unwind(AssertUnwindSafe(|| answering(ask))).unwrap_or_else(|thrown| {
            self.note_unwound(thrown);
            none()
        })
    }

    /// Takes note that an answer has ended by unwinding.
    fn note_unwound(&self, thrown: Box<dyn Any + Send>) {
        match thrown.downcast::<CancelledWork>() {
            Ok(cancelled) => self.mark_cancelled(*cancelled),
            Err(panic) => resume_unwind(panic),
        }
    }

    fn mark_cancelled(&self, cancelled: CancelledWork) {
        if let Some(question) = locked(&self.0.questions).get_mut(&Asker::current()) {
            question.cancelled.get_or_insert(cancelled);
        }
    }

    /// Returns how far the work is that is being done, if some is.
    pub fn progress(&self) -> Option<Progress> {
        locked(&self.0.tasks).last().map(|task| task.progress())
    }

    fn sees_cancellation(&self, task: &Counts) -> bool {
        #[cfg(test)]
        if let Some(looked) = locked(&self.0.looked).clone() {
            looked();
        }
        if cfg!(panic = "abort") {
            return false;
        }
        let mut questions = locked(&self.0.questions);
        let question = questions.get_mut(&Asker::current());
        let Some(question) = question.filter(|question| question.cancel.is_cancelled()) else { return false };
        #[cfg(test)]
        if self.0.strict {
            return true;
        }
        // Many short pieces of work may follow each other.
        let since = *question.cancelled_since.get_or_insert_with(Instant::now);
        task.begun.elapsed() >= GRACE || since.elapsed() >= GRACE
    }

    /// Ends work for the present question, as if that were cancelled. For tests of the layers above.
    #[doc(hidden)]
    pub fn stop(&self) {
        if let Some(progress) = Self::stuck().progress() {
            self.mark_cancelled(CancelledWork(progress));
        }
    }

    /// Creates work that does not go on. For tests of the layers above.
    #[doc(hidden)]
    pub fn stuck() -> Self {
        let work = Self::default();
        std::mem::forget(Workplace::new(&work, "ceph-osd").begin("reading debug info of", Measure::Bytes, 174_000_000));
        work
    }

    /// Sets what is called first whenever cancellation is checked.
    #[cfg(test)]
    pub(crate) fn on_look(&self, looked: impl Fn() + Send + Sync + 'static) {
        *locked(&self.0.looked) = Some(Arc::new(looked));
    }

    /// Makes it strict: without grace, work is cancelled at the first check.
    #[cfg(test)]
    pub(crate) fn strict() -> Self {
        Self(Arc::new(Shared { strict: true, ..Shared::default() }))
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Work").field(&self.progress()).finish()
    }
}

/// The work on one image.
#[derive(Clone, Default)]
pub(crate) struct Workplace {
    work: Work,
    /// The file that progress names.
    file: Arc<str>,
}

impl Workplace {
    pub(crate) fn new(work: &Work, file: &str) -> Self {
        Self { work: work.clone(), file: file.into() }
    }

    /// Returns the work on all images of the session.
    pub(crate) fn of_all(&self) -> &Work {
        &self.work
    }

    /// Begins work that may take long.
    pub(crate) fn begin(&self, what: &'static str, measure: Measure, total: u64) -> Task<'_> {
        let (file, done) = (self.file.clone(), AtomicU64::new(0));
        let state = Arc::new(Counts { what, file, total, measure, done, begun: Instant::now() });
        locked(&self.work.0.tasks).push(state.clone());
        Task { work: &self.work, state }
    }

    /// Waits for what another thread makes, until it is cancelled. `made` says how much of `total` there is;
    /// `is_there` waits for so long, and says whether it is enough.
    pub(crate) fn wait(
        &self,
        what: &'static str,
        measure: Measure,
        total: u64,
        made: impl Fn() -> u64,
        is_there: impl Fn(Duration) -> bool,
    ) {
        if is_there(Duration::ZERO) {
            return;
        }
        let task = self.begin(what, measure, total);
        let (mut told, mut ended) = (0, false);
        while !ended {
            ended = is_there(LOOKED_AT_ONCE);
            let made = made();
            task.did(made.saturating_sub(told) as usize);
            told = made;
        }
    }
}

/// Work that is being done; it has ended when this goes.
pub(crate) struct Task<'w> {
    work: &'w Work,
    state: Arc<Counts>,
}

struct Counts {
    what: &'static str,
    file: Arc<str>,
    total: u64,
    measure: Measure,
    done: AtomicU64,
    begun: Instant,
}

impl Counts {
    fn progress(&self) -> Progress {
        let Self { what, total, measure, .. } = *self;
        let done = self.done.load(Ordering::Relaxed).min(total);
        Progress { what, file: self.file.clone(), done, total, measure }
    }
}

impl Task<'_> {
    /// Reports that so much more is done. Unwinds if the rest is cancelled.
    pub(crate) fn did(&self, amount: usize) {
        self.state.done.fetch_add(amount as u64, Ordering::Relaxed);
        self.check();
    }

    /// Unwinds if the rest is cancelled.
    pub(crate) fn check(&self) {
        if self.work.sees_cancellation(&self.state) {
            resume_unwind(Box::new(CancelledWork(self.state.progress())));
        }
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        locked(&self.work.0.tasks).retain(|task| !Arc::ptr_eq(task, &self.state));
    }
}

/// Locks a mutex: nothing that is locked here is left half-changed by a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::parallel::in_parallel;

    fn cancelled() -> Cancel {
        let cancel = Cancel::default();
        cancel.cancel();
        cancel
    }

    #[test]
    fn progress_is_told_while_there_is_some() {
        let work = Work::default();
        let place = Workplace::new(&work, "ceph-osd");
        assert_eq!(work.progress(), None);
        let outer = place.begin("reading debug info of", Measure::Bytes, 174_000_000);
        outer.did(40_400_000);
        assert_eq!(work.progress().unwrap().to_string(), "reading debug info of ceph-osd: 40 of 174 MB");
        let inner = place.begin("reading line tables of", Measure::Units, 7);
        inner.did(2);
        assert_eq!(work.progress().unwrap().to_string(), "reading line tables of ceph-osd: 2 of 7 units");
        drop(inner);
        outer.did(200_000_000);
        assert_eq!(work.progress().unwrap().to_string(), "reading debug info of ceph-osd: 174 of 174 MB");
        drop(outer);
        assert_eq!(work.progress(), None);
    }

    #[test]
    fn what_is_cancelled_is_given_up_and_what_is_not_is_not() {
        let work = Work::strict();
        let place = Workplace::new(&work, "a.out");
        let read = || {
            let task = place.begin("reading debug info of", Measure::Bytes, 2000);
            task.did(1000);
            Some(7)
        };
        let ask = || work.answer(read, || None);
        let stopped = work.attempt(&cancelled(), ask).unwrap_err();
        assert_eq!(stopped.to_string(), "stopped reading debug info of a.out: 1 of 2 kB");
        assert_eq!(work.progress(), None);
        assert_eq!(work.attempt(&Cancel::default(), ask), Ok(Some(7)));
        // Nobody can cancel what nobody attempts.
        assert_eq!(ask(), Some(7));
        let nested = work.attempt(&Cancel::default(), || work.attempt(&cancelled(), ask));
        assert_eq!(nested.unwrap().unwrap_err().0.done, 1000);
        let after = work.attempt(&cancelled(), || (work.attempt(&Cancel::default(), ask), ask()));
        assert!(after.is_err());
    }

    #[test]
    fn a_question_is_cancelled_for_the_thread_that_asks_it_and_for_those_that_help_it() {
        let work = Work::strict();
        let place = Workplace::new(&work, "a.out");
        let read = |_: &mut (), _: usize, _: &u32| place.begin("reading debug info of", Measure::Bytes, 2000).did(1000);
        let ask = || work.answer(|| Some(in_parallel(&[1, 2, 3, 4], || (), read).len()), || None);
        let other = || thread::scope(|scope| scope.spawn(|| work.attempt(&Cancel::default(), ask)).join().unwrap());
        let (mut of_other, mut after) = (None, None);
        let cancelled = work.attempt(&cancelled(), || {
            let first = ask();
            of_other = Some(other());
            after = Some(work.check().is_err());
            first
        });
        assert!(cancelled.is_err());
        assert_eq!((of_other, after), (Some(Ok(Some(4))), Some(true)));
        assert_eq!(work.attempt(&Cancel::default(), ask), Ok(Some(4)));
    }

    #[test]
    fn it_unwinds_to_who_answers_and_nothing_is_answered_from_then_on() {
        let work = Work::strict();
        let place = Workplace::new(&work, "a.out");
        let read = || {
            place.begin("reading debug info of", Measure::Bytes, 2000).did(1000);
            Some(7)
        };
        let inner = || work.answer(read, || None);
        let seen = Mutex::new(Vec::new());
        let asked = work.ask(&cancelled(), || {
            // Who answers does not hear that there was no answer to what it has asked itself.
            let outer = work.answer(|| Some(inner()), || None);
            seen.lock().unwrap().push(outer);
            // Without any work.
            seen.lock().unwrap().push(work.answer(|| Some(Some(8)), || None));
            work.attempt(&Cancel::default(), || 9)
        });
        let Err(cancelled) = work.ask(&cancelled(), inner).1 else { panic!("it was not cancelled") };
        assert_eq!(asked, (Err(cancelled.clone()), Err(cancelled)));
        assert_eq!(*seen.lock().unwrap(), [None, None]);
        assert_eq!(inner(), Some(7));
    }

    #[test]
    fn work_on_other_threads_unwinds_to_who_answers_too() {
        let work = Work::strict();
        let place = Workplace::new(&work, "a.out");
        let each = |(): &mut (), _: usize, number: &u64| {
            // As far as to the answer that it is for, not only to that of its own.
            let read = || {
                place.begin("reading debug info of", Measure::Bytes, 2000).did(1000);
                *number
            };
            work.answer(read, || 0)
        };
        let all = || Some(in_parallel(&[1, 2, 3], || (), each));
        assert!(work.attempt(&cancelled(), || assert_eq!(work.answer(all, || None), None)).is_err());
        assert_eq!(work.attempt(&Cancel::default(), || work.answer(all, || None)), Ok(Some(vec![1, 2, 3])));
    }

    #[test]
    fn a_panic_stays_one() {
        let work = Work::default();
        let panic =
            catch_unwind(AssertUnwindSafe(|| work.attempt(&Cancel::default(), || resume_unwind(Box::new("other")))));
        assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"other"));
        assert!(work.attempt(&Cancel::default(), || ()).is_ok());
    }

    #[test]
    fn short_work_is_done_and_long_work_given_up() {
        let work = Work::default();
        let place = Workplace::new(&work, "a.out");
        let short = || work.answer(|| place.begin("reading debug info of", Measure::Units, 1).did(1), || ());
        assert!(work.attempt(&cancelled(), short).is_ok());
        let cancel = Cancel::default();
        let read = || {
            let task = place.begin("reading debug info of", Measure::Units, 1);
            while task.state.begun.elapsed() < GRACE {
                task.check();
            }
            cancel.cancel();
            task.check();
        };
        let long = work.attempt(&cancel, || work.answer(read, || ()));
        assert!(long.is_err());
        // However short each piece is, all together are not.
        let many = work.attempt(&cancelled(), || {
            while work.check().is_ok() {
                short();
            }
        });
        assert!(many.is_err());
    }
}

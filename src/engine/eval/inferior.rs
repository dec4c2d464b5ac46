//! A stopped process with its modules and stacks: all that looking around needs, and nothing that moves it.

use crate::api::error::Error;
use crate::eval::call::{CallPolicy, Calls};
use crate::eval::condition_names::ParsedConditions;
use crate::eval::value_history::Variables;
use crate::modules::find::ImageFiles;
use crate::modules::loaded::{Module, Modules};
use crate::stack::context::Context;
use crate::stack::frames::{Stack, Stacks, is_rr_page};
use crate::stack::physical::{End, FrameFunction, Level, Physical};
use crate::target::process::Process;
use arch::{RunAddr, ThreadId};
use ctype::{Dialect, Options, Target};
use dwarf::Work;
use program::debuginfod::DebugSettings;
use program::module::Role;
use std::path::Path;
use std::sync::Arc;

/// Frames beyond the one in question that are unwound so that its entry values can be found.
const CALLERS: usize = 3;

/// A stopped process with its modules and stacks.
pub(crate) struct Inferior {
    pub(crate) process: Process,
    pub(crate) modules: Modules,
    /// What expressions may name besides the program's own.
    pub(crate) variables: Variables,
    /// Whose variables expressions name, where that is to be told and was not.
    pub(crate) choices: Vec<String>,
    /// Conditions that were parsed.
    pub(crate) conditions: ParsedConditions,
    /// What is needed to call functions, while that is allowed.
    pub(crate) calls: Option<Calls>,
    /// Whether conditions may have them called.
    pub(crate) call_policy: CallPolicy,
    /// How values are shown.
    pub(crate) print: Printing,
    files: ImageFiles,
    stacks: Stacks,
    /// The modules have changed, and the breakpoints' places have not been looked for anew.
    has_changed: bool,
}

/// Frames in which a function is looked for at each touch of a watched object.
pub(crate) const LOOKED_AT: usize = 1000;

/// How values are shown, where that was set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Printing {
    /// Each member of a structure is on a line of its own.
    pub pretty: bool,
    /// Most elements and characters.
    pub elements: Option<u32>,
    /// Objects are shown as what they really are.
    pub object: bool,
}

impl Printing {
    /// Returns the options that show values so.
    pub(crate) fn options(self, target: Target) -> Options {
        let mut options = Options::new(target);
        options.pretty = self.pretty;
        options.objects = self.object;
        if let Some(elements) = self.elements {
            let elements = elements as usize;
            options.limits.elements = elements;
            options.limits.string = elements;
            options.limits.pairs = elements.div_ceil(2);
        }
        options
    }
}

impl Inferior {
    pub(crate) fn new(mut process: Process, trace: Option<&Path>, debug: DebugSettings) -> Self {
        let files = ImageFiles::new(trace, debug);
        process.watch(files.work());
        Self {
            process,
            modules: Modules::default(),
            variables: Variables::default(),
            choices: Vec::new(),
            calls: None,
            call_policy: CallPolicy::Off,
            conditions: ParsedConditions::default(),
            print: Printing::default(),
            files,
            stacks: Stacks::default(),
            has_changed: false,
        }
    }

    /// Brings the modules up to date.
    pub(crate) fn refresh(&mut self) -> Result<(), Error> {
        self.check_answers()?;
        if self.modules.refresh(&mut self.process, &mut self.files)? {
            self.stacks = Stacks::default();
            self.conditions.clear();
            self.has_changed = true;
        }
        Ok(())
    }

    /// Tells, once, whether the modules have changed since this was last asked.
    pub(crate) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    /// Takes up debug info that has arrived meanwhile. `true` if there is some.
    pub(crate) fn renew(&mut self) -> bool {
        let renewed = self.modules.renew(&mut self.files);
        if renewed {
            self.stacks = Stacks::default();
            self.conditions.clear();
        }
        renewed
    }

    pub(crate) fn files(&self) -> &ImageFiles {
        &self.files
    }

    /// Returns the long work on the modules' debug info.
    pub(crate) fn work(&self) -> &Work {
        self.files.work()
    }

    /// Fails if debug info does not answer any more. What was found out since then is not true, and nothing of it is to
    /// be kept.
    pub(crate) fn check_answers(&self) -> Result<(), Error> {
        self.process.check_answers()
    }

    pub(super) fn with_stack<R>(
        &mut self,
        thread: ThreadId,
        f: impl FnOnce(&mut Stack, &mut Process, &Modules) -> R,
    ) -> Result<R, Error> {
        self.refresh()?;
        let Self { process, modules, stacks, .. } = self;
        let stack = stacks.of(thread, process, modules)?;
        let hidden = stack.hidden();
        let answer = f(stack, process, modules);
        if let Err(cancelled) = process.check_answers() {
            stack.doubt(hidden);
            return Err(cancelled);
        }
        Ok(answer)
    }

    /// Finds the levels `from..from + max` of a thread's backtrace, and why there are no more if there are none.
    pub(crate) fn levels(
        &mut self,
        thread: ThreadId,
        from: usize,
        max: usize,
    ) -> Result<(Vec<Level>, Option<End>), Error> {
        self.with_stack(thread, |stack, process, modules| stack.levels(from, max, process, modules))
    }

    /// Finds one level of a thread's backtrace.
    pub(crate) fn level(&mut self, thread: ThreadId, number: u32) -> Result<Level, Error> {
        let (found, _) = self.levels(thread, number as usize, 1)?;
        if let Some(level) = found.first() {
            return Ok(*level);
        }
        let (all, _) = self.levels(thread, 0, number as usize)?;
        Err(Error::NoFrame { asked: number, count: u32::try_from(all.len()).unwrap_or(u32::MAX) })
    }

    /// Finds the innermost frame of a function among [`LOOKED_AT`] frames.
    pub(crate) fn level_of(&mut self, thread: ThreadId, function: &FrameFunction) -> Result<Option<Level>, Error> {
        self.with_stack(thread, |stack, process, modules| {
            for physical in 0..LOOKED_AT {
                stack.extend(physical + 1, process, modules);
                let frame = stack.physical.get(physical)?;
                if let Some(inline) = frame.level_of(function) {
                    return Some(Level { physical, inline });
                }
            }
            None
        })
    }

    /// Returns a copy of a physical frame that [`Inferior::levels`] has named.
    pub(crate) fn physical(&mut self, thread: ThreadId, index: usize) -> Result<Physical, Error> {
        let found = self.with_stack(thread, |stack, process, modules| {
            stack.extend(index + 1, process, modules);
            stack.physical.get(index).cloned()
        })?;
        found.ok_or(Error::NoFrame { asked: u32::try_from(index).unwrap_or(u32::MAX), count: 0 })
    }

    /// Shows a thread that has just stopped outside of at most so many of the inlined functions that begin where it is;
    /// see `begins` of the stepping rules.
    pub(crate) fn hide_inlined(&mut self, thread: ThreadId, most: usize) -> Result<(), Error> {
        self.with_stack(thread, |stack, _, _| stack.hide(most))
    }

    /// Returns how many inlined functions a thread is shown outside of.
    pub(crate) fn hidden_inlined(&mut self, thread: ThreadId) -> usize {
        self.with_stack(thread, |stack, _, _| stack.hidden()).unwrap_or(0)
    }

    /// Finds the physical frame that `index` returns to.
    pub(crate) fn caller(&mut self, thread: ThreadId, index: usize) -> Result<Result<Physical, End>, Error> {
        self.with_stack(thread, |stack, process, modules| {
            stack.caller_of(index, process, modules).map(|caller| stack.physical[caller].clone())
        })
    }

    /// Finds the number of the physical frame that `index` returns to.
    pub(crate) fn caller_index(&mut self, thread: ThreadId, index: usize) -> Result<Option<usize>, Error> {
        self.with_stack(thread, |stack, process, modules| stack.caller_of(index, process, modules).ok())
    }

    /// Returns whether there is code of rr's own at an address.
    pub(crate) fn is_rr_code(&self, at: RunAddr) -> bool {
        self.modules.at(at).map_or_else(|| is_rr_page(at), |module| module.role == Role::Rr)
    }

    /// Finds the frame that a thread in rr's own code comes back to, if it is in there and that is known.
    pub(crate) fn outside_of_rr(&mut self, thread: ThreadId) -> Result<Option<Physical>, Error> {
        self.with_stack(thread, |stack, process, modules| {
            let index = stack.first_visible(process, modules);
            stack.physical.get(index).filter(|_| index > 0).cloned()
        })
    }

    /// Finds the physical frame to which so many returns lead from where a user sees a thread.
    pub(crate) fn after_returns(&mut self, thread: ThreadId, count: usize) -> Result<Result<Physical, End>, Error> {
        self.with_stack(thread, |stack, process, modules| {
            stack.after_returns(count, process, modules).map(|frame| stack.physical[frame].clone())
        })
    }

    /// Finds the number of the physical frame that returns to `index`.
    pub(crate) fn callee(&mut self, thread: ThreadId, index: usize) -> Result<Option<usize>, Error> {
        self.with_stack(thread, |stack, _, _| stack.callee_of(index))
    }

    /// Asks debug info about a frame; on behalf of `module` if it is not the frame's own.
    pub(crate) fn with_frame<R>(
        &mut self,
        thread: ThreadId,
        index: usize,
        module: Option<&Arc<Module>>,
        f: impl FnOnce(&mut Context<'_>) -> R,
    ) -> Result<R, Error> {
        self.with_stack(thread, |stack, process, modules| {
            stack.extend(index + 1 + CALLERS, process, modules);
            let mut context = match module {
                Some(module) => Context::for_module(process, modules, &stack.physical, index, module.clone()),
                None => Context::for_frame(process, modules, &stack.physical, index),
            };
            f(&mut context)
        })
    }

    /// Returns what values depend on besides their types, for code at this address.
    pub(crate) fn target_at(&self, pc: RunAddr) -> Target {
        let language = self.modules.at(pc).and_then(|m| m.image.language_at(m.link(pc)));
        let dialect = match language {
            Some("rust") => Dialect::Rust,
            Some("c++") => Dialect::Cxx,
            _ => Dialect::C,
        };
        Target { arch: self.process.arch(), dialect }
    }

    /// Returns the symbol that an address lies in, `main` or `memcpy`, and how far from its start.
    pub(crate) fn symbol(&self, address: RunAddr) -> Option<(String, u64)> {
        let module = self.modules.at(address)?;
        let link = module.link(address);
        let Some(symbol) = module.image.symbol_at(link) else {
            let stub = module.image.stub_at(link)?;
            return Some((stub.name, link.0.checked_sub(stub.start.0)?));
        };
        let offset = link.0.checked_sub(symbol.address.0)?;
        (symbol.size == 0 || offset < symbol.size).then_some((symbol.display, offset))
    }
}

//! Which function carries out which command, and what comes of a line.

use super::command::Command;
use super::error::Error;
use super::execution::Execution;
use super::flow::Flow;
use super::parse::parse;
use super::{alias, help};

/// How deep `thread apply` may be nested.
const MAX_DEPTH: u32 = 2;
/// Most lines that breakpoints may have carried out after one command.
const MAX_QUEUED: usize = 10_000;

impl Execution<'_> {
    /// Tells where the replay is, as GDB does when it has connected to one.
    pub(super) fn greet(&mut self) -> Result<(), Error> {
        let stop = self.engine.here()?;
        self.location(&stop, true)
    }

    /// Carries out a line, and what breakpoints have to be carried out after it.
    pub(super) fn execute(&mut self, line: &str) -> Result<Flow, Error> {
        self.state.idle = None;
        if let Some(flow) = self.collect(line)? {
            return Ok(flow);
        }
        self.state.queue.clear();
        let flow = self.command(line)?;
        if flow == Flow::GoOn { self.drain() } else { Ok(flow) }
    }

    /// Carries out what breakpoints that have stopped have to be carried out.
    pub(super) fn drain(&mut self) -> Result<Flow, Error> {
        for _ in 0..MAX_QUEUED {
            let Some(line) = self.state.queue.pop_front() else {
                return Ok(Flow::GoOn);
            };
            if self.engine.cancel().is_cancelled() {
                return Ok(Flow::Interrupted);
            }
            let lines = self.whole(line);
            let flow = self.lines(&lines, &[])?;
            if flow != Flow::GoOn {
                return Ok(flow);
            }
        }
        Err(Error::said(format!("the commands of breakpoints have not ended after {MAX_QUEUED} lines")))
    }

    /// Carries out a line that no others belong to.
    pub(super) fn command(&mut self, line: &str) -> Result<Flow, Error> {
        if matches!(line.trim(), "end" | "else" | "loop_break" | "loop_continue") {
            return Err(Error::said("This command cannot be used at the top level."));
        }
        let line = &*alias::expanded(&self.state.aliases, line).into_owned();
        if let Some(flow) = self.user_command(line)? {
            self.state.repeated = line.to_owned();
            return Ok(flow);
        }
        let command = parse(line, self.state.last_breakpoint)?;
        if command != Command::Nothing {
            self.state.repeated = repeated(&command, line);
        }
        let before = self.engine.epoch();
        let done = self.perform(command);
        let choices = self.engine.take_choices();
        // What is displayed at each stop has been told where it was asked for.
        if self.engine.epoch() == before {
            choices.into_iter().for_each(|choice| self.say(choice));
        }
        done
    }

    /// Carries out a command that another one was given.
    pub(super) fn nested(&mut self, line: &str) -> Result<Flow, Error> {
        if self.state.depth >= MAX_DEPTH {
            return Err(Error::said("Commands are nested too deeply."));
        }
        self.state.depth += 1;
        let line = &*alias::expanded(&self.state.aliases, line).into_owned();
        let done = match self.user_command(line) {
            Ok(None) => parse(line, self.state.last_breakpoint).and_then(|command| self.perform(command)),
            Ok(Some(flow)) => Ok(flow),
            Err(error) => Err(error),
        };
        self.state.depth -= 1;
        done
    }

    fn perform(&mut self, command: Command) -> Result<Flow, Error> {
        if self.state.stays && command.moves() {
            return Err(Error::said("A file that is read at the start moves nothing and takes no replay."));
        }
        match command {
            Command::Nothing => {}
            Command::Quit => return Ok(Flow::Quit),
            Command::Break { temporary, hardware, at } => self.set_breakpoint(temporary, hardware, &at)?,
            Command::Catch { temporary, event, names } => self.set_catchpoint(temporary, event, names)?,
            Command::Rbreak(regex) => self.set_matching(&regex)?,
            Command::Watch { access, pinned, expression, condition } => {
                self.set_watchpoint(access, pinned, &expression, condition.as_deref())?;
            }
            Command::Delete(numbers) => self.delete(&numbers)?,
            Command::Clear(location) => self.clear(location.as_deref())?,
            Command::Switch { on, numbers } => self.switch(on, &numbers)?,
            Command::SwitchDisplay { on, numbers } => self.switch_displays(on, &numbers)?,
            Command::Ignore { number, count } => self.ignore(number, &count)?,
            Command::Condition { number, condition } => self.condition(number, condition.as_deref())?,
            Command::Commands(number) => self.begin_commands(number)?,
            Command::Continue { direction, count } => return self.resume(direction, count.as_deref()),
            Command::Step { unit, over, direction, count } => {
                return self.step(unit, over, direction, count.as_deref());
            }
            Command::Finish(direction) => return self.finish(direction),
            Command::Until => return self.until(),
            Command::Advance(location) => return self.advance(&location),
            Command::Run(event) => return self.run(event.as_deref()),
            Command::Start => return self.start(),
            Command::Starti => return self.start_instruction(),
            Command::Alias(given) => self.alias(&given)?,
            Command::WorkingDirectory => self.working_directory()?,
            Command::ChangeDirectory(path) => self.change_directory(&path)?,
            Command::Backtrace { full, count } => self.backtrace(full, count)?,
            Command::Frame(spec) => self.frame(&spec)?,
            Command::Move { up, count } => self.move_frame(up, count.as_deref())?,
            Command::Thread(id) => self.thread(id.as_deref())?,
            Command::ThreadApply { threads, ascending, quiet, command } => {
                return self.thread_apply(threads.as_ref(), ascending, quiet, &command);
            }
            Command::Print { options, letters, expression } => {
                self.with_options(options, |own| own.print(letters, expression.as_deref()))?;
            }
            Command::Call { options, letters, expression } => {
                self.with_options(options, |own| own.call(letters, &expression))?;
            }
            Command::Output { letters, expression } => self.output(letters, &expression)?,
            Command::Printf(arguments) => self.printf(&arguments)?,
            Command::Echo(text) => self.terminal.say(&super::printf::unescaped(&text)),
            Command::Examine { letters, expression } => self.examine(letters, expression.as_deref())?,
            Command::Type { listed, raw, of } => self.type_of(listed, raw, of.as_deref())?,
            Command::Macro(expression) => self.expand_macros(&expression)?,
            Command::List(spec) => self.list(&spec)?,
            Command::Disassemble { modes, at } => self.disassemble(modes, &at)?,
            Command::When(moment) => self.when(moment)?,
            Command::Revisit { back } => return self.revisit(back),
            Command::Find(arguments) => self.find(&arguments)?,
            Command::Inquire(inquiry, expression) => self.inquire(inquiry, &expression)?,
            Command::Shell(command) => self.shell(&command)?,
            Command::Source(path) => return self.source_file(&path),
            Command::Save(path) => self.save_breakpoints(&path)?,
            Command::Inferior => self.inferior()?,
            Command::Complete(typed) => self.list_completions(&typed)?,
            Command::Skip(what) => self.skip(what)?,
            Command::Dprintf { location, text } => self.set_dprintf(&location, &text)?,
            Command::FrameApply { frames, command } => return self.frame_apply(&frames, &command),
            Command::Checkpoint => self.checkpoint()?,
            Command::Goto(position) => return self.go_to(&position),
            Command::SeekTicks(ticks) => return self.seek_ticks(&ticks),
            Command::Restart(number) => return self.restart(&number),
            Command::DeleteCheckpoint(number) => self.delete_checkpoint(number.as_deref())?,
            Command::Display { letters, expression } => self.display(letters, expression.as_deref())?,
            Command::Undisplay(numbers) => self.undisplay(&numbers)?,
            Command::Info(info) => self.info(&info)?,
            Command::Set(setting) => self.set(&setting)?,
            Command::UnsetSubstitutePath(from) => self.unset_substitute_path(&from)?,
            Command::Directory(given) => self.directory(&given)?,
            Command::Show(name) => self.show(&name)?,
            Command::Handle(arguments) => self.handle(&arguments)?,
            Command::Help(about) => {
                let about = about.map(|name| alias::expanded(&self.state.aliases, &name).into_owned());
                let own = about.as_deref().and_then(|name| self.state.defined.get(name));
                let text = match own {
                    Some(own) if own.help.is_empty() => "User-defined.\n".to_owned(),
                    Some(own) => format!("{}\n", own.help),
                    None => help::help(about.as_deref())?,
                };
                self.terminal.say(&text);
            }
        }
        Ok(Flow::GoOn)
    }
}

/// Returns what an empty line after this one does: `list` and `x` go on instead of beginning again, and what would do
/// harm twice is not repeated.
fn repeated(command: &Command, line: &str) -> String {
    match command {
        Command::List(super::command::ListSpec::Back) => "list -".to_owned(),
        Command::List(_) => "list".to_owned(),
        Command::Examine { .. } => "x".to_owned(),
        Command::Run(_)
        | Command::Start
        | Command::Starti
        | Command::Alias(_)
        | Command::Shell(_)
        | Command::Source(_)
        | Command::Save(_)
        | Command::Delete(_)
        | Command::Break { .. }
        | Command::Rbreak(_)
        | Command::Catch { .. }
        | Command::Commands(_) => String::new(),
        _ => line.to_owned(),
    }
}

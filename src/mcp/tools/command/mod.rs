//! GDB's command language.

mod args;
mod view;

use self::args::CommandArgs;
use self::view::CommandView;
use crate::console::{Elsewhere, Flow, Inquiry, Terminal};
use crate::mcp::call::Call;
use crate::mcp::reply::{Json, ToolError};
use crate::mcp::session::Failure;
use crate::mcp::tools::heap::args::HeapArgs;
use crate::mcp::tools::origin::Followed;
use crate::mcp::tools::races::args::RacesArgs;
use crate::mcp::tools::why::args::WhyArgs;
use crate::mcp::tools::{MOST_HOPS, MOST_RACES};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

/// Most text in one answer, in bytes.
const MAX_OUTPUT: usize = 40_000;
/// Most commands that are named as not carried out, and how much of each, in characters.
const MOST_LEFT_OUT: usize = 10;
const MAX_LEFT_OUT: usize = 60;

/// What commands print, up to a limit. Nobody is there to be asked: whoever sends a command means it.
#[derive(Default)]
struct Page {
    text: String,
    is_cut: bool,
}

impl Terminal for Page {
    fn say(&mut self, text: &str) {
        if self.is_cut {
            return;
        }
        let room = MAX_OUTPUT - self.text.len();
        if text.len() <= room {
            self.text.push_str(text);
            return;
        }
        let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.text.push_str(text.get(..end).unwrap_or_default());
        self.is_cut = true;
    }

    fn is_full(&self) -> bool {
        self.is_cut
    }
}

/// Returns what is said of a command of GDB's that does not exist here: which tool, or other command, does it.
fn with_tools(elsewhere: Elsewhere) -> &'static str {
    match elsewhere {
        Elsewhere::Leaving => "rr_replay_stop ends the session",
        Elsewhere::Memory => "read memory with `x` or rr_read_memory",
        Elsewhere::SourceSearch => "read the source with `list` or rr_source_lines and search there",
        Elsewhere::Recording => "this is a recording already; rr_record makes another",
        Elsewhere::Processes => "rr_ps lists the processes of a recording",
        Elsewhere::Script => "several commands can be sent at once",
        Elsewhere::Files => "commands write no files here; the answer has what they print",
        Elsewhere::Shell => "commands run no other programs here",
        Elsewhere::WholeRecording(Inquiry::Origin) => "rr_origin answers it, or this command sent alone",
        Elsewhere::WholeRecording(Inquiry::Races) => "rr_races answers it, or this command sent alone",
        Elsewhere::WholeRecording(Inquiry::Heap) => "rr_heap answers it, or this command sent alone",
        Elsewhere::WholeRecording(Inquiry::Why) => "rr_why answers it, or this command sent alone",
    }
}

/// Returns what a command is about that GDB does not have: `origin EXPRESSION`, `races EXPRESSION`, `heap EXPRESSION`,
/// `why LOCATION`.
fn expression_of<'c>(word: &str, command: &'c str) -> Option<&'c str> {
    let rest = command.trim().strip_prefix(word)?;
    let is_one = rest.starts_with(char::is_whitespace) && !rest.contains('\n');
    Some(rest.trim()).filter(|expression| is_one && !expression.is_empty())
}

/// Names the commands that were not carried out, if there are some.
fn left_out<'l>(lines: impl Iterator<Item = &'l str>) -> Option<String> {
    let commands: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let shown = |line: &&str| match line.char_indices().nth(MAX_LEFT_OUT) {
        Some((end, _)) => format!("`{}…`", line.get(..end).unwrap_or_default()),
        None => format!("`{line}`"),
    };
    let named: Vec<String> = commands.iter().take(MOST_LEFT_OUT).map(shown).collect();
    let more = commands.len().saturating_sub(MOST_LEFT_OUT);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!named.is_empty()).then(|| format!("not carried out: {}{more}", named.join(", ")))
}

#[tool_router(router = command_tools, vis = "pub(crate)")]
impl Call {
    /// Execute GDB commands: break, watch -l, reverse-continue, bt full, print/x; help lists them.
    #[tool(name = "rr_command")]
    async fn command(&self, Parameters(args): Parameters<CommandArgs>) -> Result<Json<CommandView>, ToolError> {
        if let Some(expression) = expression_of("origin", &args.command) {
            let followed = Followed {
                session: args.session.as_deref(),
                expression: expression.to_owned(),
                through_arithmetic: false,
                max_hops: MOST_HOPS,
            };
            let output = format!("{}\n", self.followed(followed).await?);
            return Ok(Json(CommandView { output, truncated: None, note: None }));
        }
        if let Some(expression) = expression_of("races", &args.command) {
            let (expression, session) = (expression.to_owned(), args.session);
            let asked = RacesArgs { expression, offset: 0, limit: MOST_RACES, session };
            let output = format!("{}\n", self.races_of(asked).await?);
            return Ok(Json(CommandView { output, truncated: None, note: None }));
        }
        if let Some(expression) = expression_of("heap", &args.command) {
            let asked = HeapArgs { expression: expression.to_owned(), session: args.session };
            let output = format!("{}\n", self.heap_of(asked).await?);
            return Ok(Json(CommandView { output, truncated: None, note: None }));
        }
        if let Some(location) = expression_of("why", &args.command) {
            let asked = WhyArgs { location: location.to_owned(), at: None, trace_dir: None, session: args.session };
            let output = format!("{}\n", self.why_of(asked).await?);
            return Ok(Json(CommandView { output, truncated: None, note: None }));
        }
        let session = self.shared.sessions.find(args.session.as_deref())?;
        let notes = self.notes.clone();
        let pending = self.submit(&session, move |debugger, status| {
            let mut page = Page::default();
            let before = debugger.engine.epoch();
            let mut lines = args.command.lines();
            let done = debugger.console.script(&mut debugger.engine, &mut lines, &mut page);
            let left = left_out(lines);
            if debugger.engine.epoch() != before {
                debugger.write_place(status);
            }
            notes.add(debugger.engine.take_revived().into_iter().collect());
            let truncated = page.is_cut.then(|| {
                format!("only the first {MAX_OUTPUT} bytes are shown: ask for less, as in bt 20, list 1,50, x/100xb")
            });
            let with_left = |words: String| match &left {
                Some(left) => format!("{words}\n{left}"),
                None => words,
            };
            let note = match &done {
                Ok(Flow::Quit) => Some(with_left("quit does not close a session: rr_replay_stop does".to_owned())),
                Ok(Flow::Interrupted) => Some(with_left("interrupted".to_owned())),
                _ => None,
            };
            match done {
                Ok(_) => Ok(CommandView { output: page.text, truncated, note }),
                Err(error) => {
                    let hint = debugger.console.take_hint(&mut debugger.engine);
                    let words = error.words(with_tools);
                    let words = hint.map_or(words.clone(), |hint| format!("{words}\n{hint}"));
                    Err(Failure::said(with_left(words)).behind(&page.text))
                }
            }
        });
        self.answer(&session, pending).await.map(Json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_followed_by_a_command_of_one_line() {
        assert_eq!(expression_of("origin", " origin p->next "), Some("p->next"));
        assert_eq!(expression_of("races", "races total"), Some("total"));
        for other in ["origin", "original x", "print origin", "origin x\nbt", "races x"] {
            assert_eq!(expression_of("origin", other), None, "{other}");
        }
    }

    #[test]
    fn what_was_not_carried_out_is_named() {
        assert_eq!(left_out("\n  # a comment\n".lines()), None);
        assert_eq!(left_out("bt\n info locals".lines()).unwrap(), "not carried out: `bt`, `info locals`");
        let many = "x\n".repeat(12);
        assert!(left_out(many.lines()).unwrap().ends_with("`x` and 2 more"));
    }

    #[test]
    fn a_page_is_cut_between_characters_and_stays_cut() {
        let mut page = Page::default();
        page.say(&"x".repeat(MAX_OUTPUT - 1));
        assert!(!page.is_full());
        page.say("é");
        page.say("y");
        assert!(page.is_full());
        assert_eq!(page.text.len(), MAX_OUTPUT - 1);
    }
}

//! The page that tells a report.

use super::collect::{Report, Stack, Value, author};
use super::html::Html;
use base::untrusted::PathText as _;
use engine::model::{Owner, SourceLine, Wait};
use questions::{Moment, PathNode, Paths};
use rr::{Happening, Output, Stream, Timeline};

/// Narrower parts of the flame graph are not drawn.
const NARROWEST: f64 = 0.002;
/// Most parts of it that are drawn.
const MOST_PARTS: usize = 3000;
/// Deepest part that is drawn.
const DEEPEST: usize = 60;
/// Most rows of the table of happenings.
const MOST_ROWS: usize = 300;
/// Most bytes of output.
const MOST_OUTPUT: usize = 200_000;
/// Most functions in the table of work.
const MOST_FUNCTIONS: usize = 25;
/// Longest value, in characters.
const LONGEST: usize = 300;

pub(super) fn page(report: &Report) -> String {
    let mut html = Html::default();
    let command = report.process.as_ref().and_then(|process| process.command.clone());
    let title = command.unwrap_or_else(|| report.trace.in_text());
    html.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
        )
        .within("<title>", &title, "</title>\n<style>\n")
        .raw(include_str!("style.css"))
        .raw("</style></head><body>\n<header>")
        .within("<h1><code>", &title, "</code></h1><p class=\"faint\">");
    if let Some(process) = &report.process {
        let status = process.status().unwrap_or_else(|| "end not recorded".to_owned());
        html.text(&format!("process {}: {status}", process.pid));
        if report.others > 0 {
            html.text(&format!("; {} other processes are in the recording", report.others));
        }
        html.raw(". ");
    }
    html.within("Recording: <code>", &report.trace.in_text(), "</code></p></header>\n<main>\n");
    story(&mut html, report);
    if let Some(value) = &report.value {
        of_value(&mut html, value);
    }
    threads(&mut html, &report.threads, &report.deadlocks);
    timeline(&mut html, &report.timeline);
    output(&mut html, &report.output);
    work(&mut html, &report.paths);
    html.raw("</main>\n<footer class=\"faint\"><h2>Going there</h2><p>A position is selected as a whole: give it to ")
        .raw("<code>rr_goto</code>, or to <code>Replay::goto</code> of the library. To look around by hand: <code class=\"at\">")
        .within("retrograde gdb ", &report.trace.in_text(), "</code></p><p>Made by retrograde ")
        .text(env!("CARGO_PKG_VERSION"))
        .raw(".</p></footer></body></html>\n");
    html.finish()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn missing(html: &mut Html, what: &'static str, why: &str) {
    html.raw("<p class=\"faint\">").raw(what).within(": ", why, "</p>\n");
}

fn position(html: &mut Html, position: Option<&str>) {
    if let Some(position) = position {
        html.within("<p>Position <code class=\"at\">", position, "</code></p>\n");
    }
}

fn moment(html: &mut Html, at: Option<&Moment>) {
    let known = at.and_then(Moment::position).map(|position| position.to_string());
    position(html, known.as_deref());
}

/// Shows lines of source. `marked`: the line to be marked, if it is not the one of a frame.
fn source(html: &mut Html, lines: &[SourceLine], marked: Option<u32>) {
    if lines.is_empty() {
        return;
    }
    html.raw("<pre>");
    for line in lines {
        let is_marked = marked.map_or(line.current, |marked| marked == line.number);
        let text = format!("{:>6}  {}", line.number, cut(&line.text));
        match is_marked {
            true => html.within("<b>", &text, "</b>\n"),
            false => html.text(&text).raw("\n"),
        };
    }
    html.raw("</pre>\n");
}

fn story(html: &mut Html, report: &Report) {
    html.raw("<section id=\"story\"><h2>What happened</h2>\n");
    let explanation = match &report.explanation {
        Ok(explanation) => explanation,
        Err(why) => {
            missing(html, "The end cannot be explained", why);
            html.raw("</section>\n");
            return;
        }
    };
    if let Some(why) = &report.short_of_end {
        missing(html, "All this is of a moment before the end, which was not reached", why);
    }
    html.within("<p class=\"lead\">", &explanation.summary, "</p>\n");
    if !explanation.evidence.is_empty() {
        html.within("<p class=\"faint\">Known by: ", &explanation.evidence.join("; "), "</p>\n");
    }
    if let Some(fault) = &explanation.fault {
        html.raw("<table><tbody>");
        let rows = [
            ("Instruction", &fault.instruction),
            ("Operand", &fault.operand),
            ("Memory there", &fault.memory),
            ("In the program's words", &fault.member),
        ];
        for (name, value) in rows {
            if let Some(value) = value {
                html.within("<tr><td>", name, "</td>").within("<td><code>", value, "</code></td></tr>");
            }
        }
        html.raw("</tbody></table>\n");
    }
    if let Some(frame) = &explanation.frame {
        let function = frame.function.as_deref().unwrap_or("code without a name");
        html.within("<h3><code>", function, "</code>");
        if let (Some(file), Some(line)) = (&frame.file, frame.line) {
            html.text(&format!(" at {file}:{line}"));
        }
        html.raw("</h3>\n");
    }
    let line = explanation.frame.as_ref().and_then(|frame| frame.line);
    source(html, &explanation.source, line);
    if !explanation.locals.is_empty() {
        html.raw("<table><thead><tr><th>Variable</th><th>Value</th></tr></thead><tbody>");
        for local in &explanation.locals {
            html.within("<tr><td><code>", &local.name, "</code></td>").within(
                "<td><code>",
                &cut(&local.value),
                "</code></td></tr>",
            );
        }
        html.raw("</tbody></table>\n");
    }
    position(html, report.position.as_deref());
    html.raw("</section>\n");
}

fn of_value(html: &mut Html, value: &Value) {
    html.within("<section id=\"origin\"><h2>Where <code>", &value.expression, "</code> comes from</h2>\n");
    match &value.origin {
        Err(why) => missing(html, "It cannot be followed", why),
        Ok(origin) => {
            html.raw("<ol>\n");
            for (number, hop) in origin.hops.iter().enumerate() {
                html.within("<li><strong>", hop.kind.word(), "</strong>: ").within(
                    "<code>",
                    &cut(&hop.to),
                    "</code> = ",
                );
                html.within("<code>", &cut(&hop.value), "</code> ← ").within("<code>", &cut(&hop.from), "</code>");
                if !hop.notes.is_empty() {
                    html.within(" <span class=\"faint\">", &hop.notes.join("; "), "</span>");
                }
                if let Some(function) = &hop.function {
                    html.within("<p>in <code>", function, "</code>");
                    if let Some((_, file, line)) = &hop.line {
                        html.text(&format!(" at {file}:{line}"));
                    }
                    html.raw("</p>\n");
                }
                let lines = value.sources.get(number).map_or(&[][..], Vec::as_slice);
                source(html, lines, hop.line.as_ref().map(|(.., line)| *line));
                moment(html, hop.at.as_ref());
                html.raw("</li>\n");
            }
            html.raw("</ol>\n");
        }
    }
    match &value.writes {
        None => {}
        Some(Err(why)) => missing(html, "Last writes are not available", why),
        Some(Ok(writes)) if writes.is_empty() => missing(html, "Last writes", "none, since the program began"),
        Some(Ok(writes)) => {
            html.raw("<h3>Last writes</h3>\n<table><tbody>");
            for write in writes {
                let bytes = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
                let change = format!("0x{} → 0x{}", bytes(&write.before), bytes(&write.after));
                html.within("<tr><td><code>", &cut(&change), "</code></td>");
                html.within("<td>", &author(&write.author), "</td><td>");
                if let Some(at) = write.at.as_ref().and_then(Moment::position) {
                    html.within("<code class=\"at\">", &at.to_string(), "</code>");
                }
                html.raw("</td></tr>\n");
            }
            html.raw("</tbody></table>\n");
        }
    }
    html.raw("</section>\n");
}

/// Says what a thread waits for.
fn wait_in_words(wait: &Wait) -> String {
    let mut text = wait.function.as_ref().map_or("waits".to_owned(), |function| format!("waits in {function}"));
    if let Some(name) = &wait.name {
        text += &format!(" for {name}");
    }
    if let Some(ty) = &wait.ty {
        text += &format!(" ({ty})");
    }
    match &wait.owner {
        Owner::Thread(owner) => text + &format!(", which {owner} has"),
        Owner::None => text,
        Owner::Unknown(why) => text + &format!("; who has it is not known: {why}"),
    }
}

fn threads(html: &mut Html, threads: &[Stack], deadlocks: &[String]) {
    html.raw("<section id=\"threads\"><h2>Threads</h2>\n");
    for deadlock in deadlocks {
        html.within("<p class=\"lead\">Deadlock: ", deadlock, " waits for the first</p>\n");
    }
    if threads.is_empty() {
        missing(html, "Threads", "none is there any more");
    }
    for stack in threads {
        let thread = &stack.waiting.thread;
        html.raw(if thread.current { "<details open>" } else { "<details>" }).raw("<summary>");
        html.text(&format!("{} ({}", thread.number, thread.id));
        if let Some(name) = &thread.name {
            html.text(&format!(" {name}"));
        }
        html.raw(")");
        if let Some(call) = &stack.waiting.call {
            html.text(&format!(", in {call}"));
        }
        if let Some(wait) = &stack.waiting.wait {
            html.text(&format!(": {}", wait_in_words(wait)));
        }
        html.raw("</summary>\n<ol start=\"0\">\n");
        for (frame, lines) in &stack.frames {
            let function = frame.function.clone().unwrap_or_else(|| frame.address.to_string());
            let args: Vec<String> = frame.args.iter().map(|arg| format!("{}={}", arg.name, cut(&arg.value))).collect();
            html.within("<li><code>", &format!("{function} ({})", args.join(", ")), "</code>");
            match (&frame.file, frame.line, &frame.module) {
                (Some(file), Some(line), _) => html.text(&format!(" at {file}:{line}")),
                (_, _, Some(module)) => html.text(&format!(" in {module}")),
                _ => &mut *html,
            };
            source(html, lines, frame.line);
            html.raw("</li>\n");
        }
        html.raw("</ol>\n");
        if let Some(why) = &stack.truncated {
            missing(html, "No more frames", why);
        }
        html.raw("</details>\n");
    }
    html.raw("</section>\n");
}

/// Returns whether a happening is a bad end.
fn is_bad(what: &Happening) -> bool {
    matches!(what, Happening::Exited { code } if *code != 0) || matches!(what, Happening::Signal(_))
}

fn timeline(html: &mut Html, timeline: &Result<Timeline, String>) {
    html.raw("<section id=\"timeline\"><h2>What happened when</h2>\n");
    match timeline {
        Err(why) => missing(html, "The recording cannot be read", why),
        Ok(timeline) => {
            html.within(
                "<p class=\"faint\">",
                &format!("{} events in {:.3} s", timeline.events, timeline.seconds),
                "</p>\n",
            );
            let mut lanes: Vec<(u32, u32)> = Vec::new();
            for row in &timeline.rows {
                if !lanes.contains(&(row.pid, row.tid)) {
                    lanes.push((row.pid, row.tid));
                }
            }
            for (pid, tid) in lanes.into_iter().take(100) {
                html.within("<div class=\"lane\"><span>", &format!("{pid}.{tid}"), "</span>");
                for row in timeline.rows.iter().filter(|row| (row.pid, row.tid) == (pid, tid)) {
                    html.raw(if is_bad(&row.what) { "<i class=\"bad\" " } else { "<i " });
                    html.raw("style=\"left:").percent(row.seconds, timeline.seconds);
                    html.within("\" title=\"", &cut(&format!("event {}: {}", row.event, row.what)), "\"></i>");
                }
                html.raw("</div>\n");
            }
            html.raw(
                "<table><thead><tr><th>Event</th><th>Seconds</th><th>Thread</th><th>What</th></tr></thead><tbody>\n",
            );
            for row in timeline.rows.iter().take(MOST_ROWS) {
                html.within("<tr><td>", &row.event.to_string(), "</td>");
                html.within("<td>", &format!("{:.6}", row.seconds), "</td>");
                html.within("<td>", &format!("{}.{}", row.pid, row.tid), "</td>");
                html.within("<td>", &cut(&row.what.to_string()), "</td></tr>\n");
            }
            html.raw("</tbody></table>\n");
            let more = timeline.matching.saturating_sub(timeline.rows.len().min(MOST_ROWS) as u64);
            if more > 0 {
                missing(html, "More", &format!("{more} rows: rr_timeline"));
            }
        }
    }
    html.raw("</section>\n");
}

fn output(html: &mut Html, output: &Result<Output, String>) {
    html.raw("<section id=\"output\"><h2>Output</h2>\n");
    match output {
        Err(why) => missing(html, "Not available", why),
        Ok(output) => {
            let mut left = MOST_OUTPUT;
            if output.pieces.is_empty() {
                missing(html, "Output", "none in the replay");
            } else {
                html.raw("<pre class=\"out\">");
            }
            for piece in &output.pieces {
                let text = String::from_utf8_lossy(&piece.bytes);
                if text.len() > left {
                    break;
                }
                left -= text.len();
                html.within("<span title=\"", &format!("event {}, process {}", piece.event, piece.pid), "\">");
                match piece.stream {
                    Stream::Err => html.within("<b>", &text, "</b>"),
                    Stream::Out => html.text(&text),
                };
                html.raw("</span>");
            }
            if !output.pieces.is_empty() {
                html.raw("</pre>\n");
            }
            if let Some(why) = &output.incomplete {
                missing(html, "It is not all", why);
            }
        }
    }
    html.raw("</section>\n");
}

fn work(html: &mut Html, paths: &Result<Paths, String>) {
    html.raw("<section id=\"work\"><h2>Where the work was</h2>\n");
    match paths {
        Err(why) => missing(html, "Not available", why),
        Ok(paths) => {
            let all = paths.threads.iter().fold(0_u64, |sum, thread| sum.saturating_add(thread.ticks));
            html.within(
                "<p class=\"faint\">",
                &format!(
                    "{all} ticks (conditional branches, not seconds) by call path; what \
                libraries do counts for who called them"
                ),
                "</p>\n<div class=\"wide\"><div class=\"flame\"><div>",
            );
            let mut left = MOST_PARTS;
            for thread in &paths.threads {
                flame(html, thread, all, all, 0, &mut left);
            }
            html.raw("</div></div></div>\n");
            let mut own: Vec<(String, u64, u64)> = Vec::new();
            paths.threads.iter().flat_map(|thread| &thread.inner).for_each(|node| add(node, &mut own));
            own.sort_by_key(|(_, ticks, _)| std::cmp::Reverse(*ticks));
            html.raw("<table><thead><tr><th>Function</th><th>Its own ticks</th><th>Calls</th></tr></thead><tbody>\n");
            for (name, ticks, calls) in own.iter().take(MOST_FUNCTIONS) {
                html.within("<tr><td><code>", &cut(name), "</code></td>");
                html.within("<td>", &ticks.to_string(), "</td>").within("<td>", &calls.to_string(), "</td></tr>\n");
            }
            html.raw("</tbody></table>\n");
            for note in &paths.facts.notes {
                missing(html, "Note", note);
            }
        }
    }
    html.raw("</section>\n");
}

/// Adds what a path did itself to its function.
fn add(node: &PathNode, own: &mut Vec<(String, u64, u64)>) {
    let inner = node.inner.iter().fold(0_u64, |sum, part| sum.saturating_add(part.ticks));
    let ticks = node.ticks.saturating_sub(inner);
    match own.iter_mut().find(|(name, ..)| *name == node.name) {
        Some((_, sum, calls)) => (*sum, *calls) = (sum.saturating_add(ticks), calls.saturating_add(node.calls)),
        None => own.push((node.name.clone(), ticks, node.calls)),
    }
    node.inner.iter().for_each(|part| add(part, own));
}

/// Draws a part of the flame graph. `around`: the ticks of what it is in.
fn flame(html: &mut Html, node: &PathNode, around: u64, all: u64, depth: usize, left: &mut usize) {
    let part = node.ticks as f64 / all.max(1) as f64;
    if part < NARROWEST || depth >= DEEPEST || *left == 0 {
        return;
    }
    *left -= 1;
    let said = format!("{}: {} ticks, {:.1} %, {} calls", node.name, node.ticks, part * 100.0, node.calls);
    html.raw("<section style=\"width:").percent(node.ticks as f64, around as f64);
    html.within("\" title=\"", &cut(&said), "\"><p>").within("", &cut(&node.name), "</p>");
    if !node.inner.is_empty() {
        html.raw("<div>");
        node.inner.iter().for_each(|inner| flame(html, inner, node.ticks, all, depth + 1, left));
        html.raw("</div>");
    }
    html.raw("</section>");
}

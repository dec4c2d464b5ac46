//! What is not copied by the program's own code: inputs, initial values, allocations, what libraries do.

use super::HopKind;
use super::code::Code;
use super::look::{Ask, Initial, Seen};
use super::names::{float, of_memory};
use super::sharers::{MAPPED, is_behind};
use super::snapshot::Snapshot;
use super::trace::{Next, Tracer, Tracked};
use crate::allocators::allocates;
use crate::channels::{Over, Reader};
use crate::error::Error;
use crate::frame::XMM0;
use crate::writes::{BY_RR, moved};
use arch::Onward;
use base::untrusted::open_regular;
use rr::{Happening, Mapped, Topic};
use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::fs::FileExt;

/// System calls that give descriptors.
const GIVERS: [&str; 8] = ["open", "openat", "socket", "dup", "dup2", "accept", "accept4", "creat"];

/// System calls that read to a list of buffers.
const LISTS: [&str; 2] = ["readv", "preadv"];

/// Memory that a system call has filled.
struct Gave {
    start: u64,
    length: u64,
    descriptor: Option<u64>,
}

impl Gave {
    /// Returns what a call has filled, if it is one of which that is known.
    fn of(call: &rr::Called) -> Option<Self> {
        let (arguments, result) = call.arguments.zip(call.result)?;
        let result = u64::try_from(result).ok()?;
        match call.name.as_str() {
            "read" | "pread64" | "recvfrom" => {
                Some(Self { start: arguments[1], length: result, descriptor: Some(arguments[0]) })
            }
            "getrandom" => Some(Self { start: arguments[0], length: result, descriptor: None }),
            "mmap" => {
                let descriptor = Some(arguments[4] & 0xffff_ffff).filter(|number| *number <= 0x7fff_ffff);
                Some(Self { start: result, length: arguments[1], descriptor })
            }
            _ => None,
        }
    }
}

/// Functions by which a program reads, and the DWARF numbers of the registers with their buffer and its length.
const READERS: [(&str, u16, u16); 12] = [
    ("read", 4, 1),
    ("__read", 4, 1),
    ("__libc_read", 4, 1),
    ("__read_nocancel", 4, 1),
    ("pread", 4, 1),
    ("pread64", 4, 1),
    ("recv", 4, 1),
    ("recvfrom", 4, 1),
    ("__recv", 4, 1),
    ("getrandom", 5, 4),
    ("readlink", 4, 1),
    ("getcwd", 5, 4),
];

/// What a function does with descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It opens a file: which of the first two arguments is its name.
    Opens(usize),
    /// It returns.
    Returns,
    /// The descriptor in this register is another one afterwards.
    Ends(u16),
}

/// Functions that open files, and those after which a descriptor is of another one.
const DESCRIPTORS: [(&str, Role); 12] = [
    ("open", Role::Opens(0)),
    ("open64", Role::Opens(0)),
    ("__open", Role::Opens(0)),
    ("__open_nocancel", Role::Opens(0)),
    ("__open64_nocancel", Role::Opens(0)),
    ("openat", Role::Opens(1)),
    ("openat64", Role::Opens(1)),
    ("close", Role::Ends(5)),
    ("__close", Role::Ends(5)),
    ("__close_nocancel", Role::Ends(5)),
    ("dup2", Role::Ends(4)),
    ("dup3", Role::Ends(4)),
];

/// How a function of the C library writes what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copier {
    /// So many bytes.
    Memory,
    /// Up to the end of a string.
    Text,
    /// One byte everywhere.
    Fill,
}

/// Returns what the function of this name copies, by its name in the library or that of one of its versions.
fn copier(name: &str) -> Option<Copier> {
    let name = name.trim_start_matches('_');
    let name = name.strip_prefix("GI_").unwrap_or(name).trim_start_matches('_');
    let is = |names: &[&str]| {
        names
            .iter()
            .any(|known| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '@'])))
    };
    if is(&["memcpy", "memmove", "mempcpy"]) {
        Some(Copier::Memory)
    } else if is(&["strcpy", "strncpy", "stpcpy", "stpncpy"]) {
        Some(Copier::Text)
    } else if is(&["memset"]) {
        Some(Copier::Fill)
    } else {
        None
    }
}

impl Tracer<'_> {
    /// Ends where nothing has written to the memory that the value is in.
    pub(super) fn initial(&mut self, address: u64, tracked: &Tracked) -> Result<Next, Error> {
        let (before, length) = (&tracked.before, tracked.bytes.len());
        let name = self.memory_name(address, tracked);
        let mapped = before.mapped();
        let known = self.looker.initial(address, length, mapped);
        let program = self.program();
        self.begin(name.clone().told(length), &tracked.bytes, before, Some(&name));
        if let Some(open) = &mut self.open {
            open.is_placed = true;
        }
        if let Some((bytes, content)) = known {
            let module = program.at(before.pid, mapped, address).map_or("", |(module, _)| module.name.as_str());
            if bytes != tracked.bytes {
                return self.stopped(
                    "nothing has written it that is seen, and it is not what the file has: something has changed it that is \
                     not seen",
                    tracked,
                );
            }
            let (kind, what) = match content {
                Initial::Constant => (HopKind::Constant, format!("a constant in the file {module}")),
                Initial::Variable => (HopKind::Initial, format!("the initial value, in the file {module}")),
                Initial::Zero => (HopKind::Initial, format!("zero from the beginning: {module} has no value for it")),
            };
            self.close(kind, what);
            return Ok(Next::End);
        }
        let found = program.mappings.at(before.pid, mapped, address).cloned();
        if let Some(mapped) = found.as_ref().filter(|mapped| mapped.name.starts_with('/')) {
            let offset = mapped.offset.saturating_add(address - mapped.start);
            // What is written to a file after it was mapped is not seen where the mapping is private.
            let is_before = |mapped: &Mapped, over: &Over| match mapped.shared {
                Some(_) => is_behind(before, over),
                None => over.event < mapped.event,
            };
            if let Some(next) = self.by_file(MAPPED, address, &is_before, tracked)? {
                return Ok(next);
            }
            let content = mapped.content(&self.looker.trace).ok().and_then(|path| {
                // Opening a pipe would wait for a writer.
                std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
                let mut content = vec![0; length];
                open_regular(&path).ok()?.read_exact_at(&mut content, offset).ok()?;
                Some(content)
            });
            if content.as_ref() == Some(&tracked.bytes) {
                self.close(HopKind::Input, format!("the file {} at byte {offset}, which is mapped there", mapped.name));
                return Ok(Next::End);
            }
            let why = format!("nothing has written it that is seen; {} is mapped there, at byte {offset}", mapped.name);
            return self.stopped(why, tracked);
        }
        let range = address..address.saturating_add(length as u64);
        let place = (before.pid, range, before.event.unwrap_or(mapped));
        if let Some(moved) = moved(&self.looker.trace, program, place, self.looker.cancel)? {
            return self.stopped(format!("nothing has written it there: {moved}"), tracked);
        }
        let what =
            found.map(|mapped| mapped.name).filter(|name| !name.is_empty()).unwrap_or_else(|| "memory".to_owned());
        if what == "[stack]" && tracked.bytes.iter().any(|byte| *byte != 0) {
            self.close(
                HopKind::Input,
                "an argument or an environment variable of the program, put there when it began".to_owned(),
            );
            return Ok(Next::End);
        }
        if tracked.bytes.iter().all(|byte| *byte == 0) {
            self.close(HopKind::Initial, format!("zero: {what} as it was mapped, never written"));
            return Ok(Next::End);
        }
        self.stopped("nothing has written it that is seen", tracked)
    }

    /// Goes on from what rr has written for the kernel.
    pub(super) fn by_kernel(&mut self, seen: &Seen, address: u64, tracked: &Tracked) -> Result<Next, Error> {
        let Some((from, to)) = seen.by_kernel() else {
            let what = "the kernel: a system call's result, or a signal's frame, of a thread that is not known";
            self.close(HopKind::Input, what.to_owned());
            return Ok(Next::End);
        };
        let topics = [Topic::Call, Topic::Signal, Topic::Process];
        let query = rr::TimelineQuery { tid: Some(seen.state.tid), ..rr::TimelineQuery::between(from, to, topics) };
        let mut rows = Vec::new();
        rr::happenings(&self.looker.trace, &query, self.looker.cancel, &mut |row| {
            if rows.len() < 64 && row.tid == seen.state.tid {
                rows.push(row);
            }
        })?;
        let end = address.saturating_add(tracked.bytes.len() as u64);
        let holds = |gave: &Gave| gave.start <= address && end <= gave.start.saturating_add(gave.length);
        let calls = || {
            rows.iter().filter_map(|row| match &row.what {
                Happening::Call(call) => Some((row, call)),
                _ => None,
            })
        };
        let exact = calls().find(|(_, call)| Gave::of(call).as_ref().is_some_and(holds));
        let only = if rows.len() == 1 { calls().next() } else { None };
        let Some((row, call)) = exact.or(only) else {
            self.close(HopKind::Input, "the kernel: a system call's result, or a signal's frame".to_owned());
            return Ok(Next::End);
        };
        if call.name.starts_with("execve") {
            self.close(HopKind::Input, "the kernel, when the program began: its arguments, its environment".to_owned());
            return Ok(Next::End);
        }
        let mut text = format!("the system call {}, event {}", call.name, row.event);
        if let Some(gave) = Gave::of(call).filter(|_| exact.is_some()) {
            text += &format!(": bytes {} on of {} that it gave", address - gave.start, gave.length);
            if let Some(descriptor) = gave.descriptor {
                text += &format!(", descriptor {descriptor}");
                let reader = Reader { tid: seen.state.tid, ticks: seen.state.ticks, sp: None };
                let next = match call.name.as_str() {
                    "mmap" => self.by_file(&text, address, &|_, over| over.event < row.event, tracked)?,
                    _ => self.by_sender(reader, (&text, &seen.state), address, tracked)?,
                };
                if let Some(next) = next {
                    return Ok(next);
                }
                let file = self.opened(seen.state.pid, descriptor, row.event)?;
                text += &if file.is_empty() { self.opened_by_code(&seen.state, descriptor)? } else { file };
            }
        } else if LISTS.contains(&call.name.as_str()) {
            let reader = Reader { tid: seen.state.tid, ticks: seen.state.ticks, sp: None };
            if let Some(next) = self.by_sender(reader, (&text, &seen.state), address, tracked)? {
                return Ok(next);
            }
        }
        self.close(HopKind::Input, text);
        Ok(Next::End)
    }

    /// Returns in words what a descriptor was opened for last before an event, if the trace tells.
    fn opened(&self, pid: u32, descriptor: u64, event: u64) -> Result<String, Error> {
        let query = rr::TimelineQuery { pid: Some(pid), ..rr::TimelineQuery::between(0, event, [Topic::Call]) };
        let mut last = None;
        rr::happenings(&self.looker.trace, &query, self.looker.cancel, &mut |row| {
            let Happening::Call(call) = row.what else { return };
            let given = call.result.and_then(|result| u64::try_from(result).ok()) == Some(descriptor);
            let of_it = call.opened.iter().find(|(number, _)| u64::try_from(*number) == Ok(descriptor));
            if let Some((_, path)) = of_it {
                last = Some(path.clone());
            } else if given && GIVERS.contains(&call.name.as_str()) {
                // It is another file now, of which the trace has no name.
                last = Some(format!("of {}, event {}", call.name, row.event));
            } else if call.name == "close" && call.arguments.is_some_and(|arguments| arguments[0] == descriptor) {
                last = None;
            }
        })?;
        Ok(last.map(|path| format!(" ({path})")).unwrap_or_default())
    }

    /// Finds the file that a descriptor was opened for by what the functions of the library were called with that open
    /// files.
    fn opened_by_code(&self, before: &Snapshot, descriptor: u64) -> Result<String, Error> {
        let program = self.program();
        let (mut opens, mut at) = (HashMap::new(), Vec::new());
        for (module, found) in program.user() {
            let Some(bias) = program.bias(module, before.pid, before.mapped()) else { continue };
            for (name, role) in DESCRIPTORS {
                for symbol in found.image.symbols_spelled(name).into_iter().filter(|s| s.is_code && s.address.0 != 0) {
                    let entry = symbol.address.at(bias).0;
                    if opens.insert(entry, role).is_some() {
                        continue;
                    }
                    at.push(entry);
                    let code = Code::around(program, before.pid, before.mapped(), entry);
                    let ends =
                        code.filter(|_| matches!(role, Role::Opens(_))).map(|code| code.returns()).unwrap_or_default();
                    at.extend(ends.iter().filter(|end| opens.insert(**end, Role::Returns).is_none()));
                }
            }
        }
        // By thread and stack pointer, which is the same where the function returns.
        let begun = RefCell::new(HashMap::new());
        let given = RefCell::new(HashMap::new());
        let is_wanted = |seen: &Seen| {
            let state = &seen.state;
            let argument = |number: u16| state.register(number).map(|value| value & 0xffff_ffff);
            match opens.get(&state.pc) {
                Some(Role::Opens(path)) => {
                    let text =
                        state.texts.get(*path).map(|bytes| bytes.split(|byte| *byte == 0).next().unwrap_or_default());
                    let text = String::from_utf8_lossy(text.unwrap_or_default()).into_owned();
                    begun.borrow_mut().insert((state.tid, state.sp()), text);
                    false
                }
                Some(Role::Returns) => {
                    let path = begun.borrow_mut().remove(&(state.tid, state.sp()));
                    let is_it = argument(0) == Some(descriptor);
                    if let Some(path) = path.filter(|_| is_it) {
                        given.borrow_mut().insert((state.tid, state.ticks, state.sp()), path);
                    }
                    is_it
                }
                Some(Role::Ends(number)) => argument(*number) == Some(descriptor),
                None => false,
            }
        };
        let texts = ["rdi", "rsi"].into_iter().filter_map(Snapshot::text_at).collect();
        let looked = self.looker.last(&Ask { before, at: &at, memory: None, texts }, &is_wanted)?;
        let last = looked.last.and_then(|seen| {
            let state = seen.state;
            given.borrow_mut().remove(&(state.tid, state.ticks, state.sp()))
        });
        Ok(last.map(|path| format!(" ({path})")).unwrap_or_default())
    }

    /// Goes on from what rr's library in the program has written, for a system call that it has buffered.
    pub(super) fn by_buffer(&mut self, state: &Snapshot, address: u64, tracked: &Tracked) -> Result<Next, Error> {
        let program = self.program();
        let mut places: Vec<(u64, usize)> = Vec::new();
        for (module, found) in program.user() {
            let Some(bias) = program.bias(module, state.pid, state.mapped()) else { continue };
            for (number, (name, ..)) in READERS.iter().enumerate() {
                for symbol in found.image.symbols_spelled(name).into_iter().filter(|s| s.is_code && s.address.0 != 0) {
                    let at = symbol.address.at(bias).0;
                    if !places.iter().any(|(known, _)| *known == at) {
                        places.push((at, number));
                    }
                }
            }
        }
        let at: Vec<u64> = places.iter().map(|(at, _)| *at).collect();
        let reader = |state: &Snapshot| {
            let (_, number) = places.iter().find(|(at, _)| *at == state.pc)?;
            let (name, buffer, length) = READERS.get(*number)?;
            Some((*name, state.register(*buffer)?, state.register(*length)?))
        };
        let end = address.saturating_add(tracked.bytes.len() as u64);
        let is_its = |seen: &Seen| {
            seen.written.is_none()
                && seen.state.tid == state.tid
                && reader(&seen.state)
                    .is_some_and(|(_, buffer, length)| buffer <= address && end <= buffer.saturating_add(length))
        };
        let looked = self.looker.last(&Ask { before: state, at: &at, memory: None, texts: Vec::new() }, &is_its)?;
        let Some(seen) = looked.last else {
            self.close(HopKind::Input, BY_RR.to_owned());
            return Ok(Next::End);
        };
        // The call of the library's function, which the user has made.
        let call = self.call_of(&seen.state, 0).map(|(_, call)| call);
        if let Some(call) = call {
            let call = self.called(call)?;
            self.place(&call);
        }
        let Some((name, buffer, length)) = reader(&seen.state) else {
            return self.stopped(BY_RR, tracked);
        };
        let name = name.trim_start_matches('_').trim_start_matches("libc_").trim_end_matches("_nocancel");
        let mut text = format!("{name}: bytes {} on of up to {length} that it was to read", address - buffer);
        if buffer != seen.state.register(5).unwrap_or_default()
            && let Some(descriptor) = seen.state.register(5).filter(|_| name != "readlink")
        {
            text += &format!(", descriptor {}", descriptor & 0xffff_ffff);
            let reader = Reader { tid: seen.state.tid, ticks: seen.state.ticks, sp: seen.state.sp() };
            if let Some(next) = self.by_sender(reader, (&text, &seen.state), address, tracked)? {
                return Ok(next);
            }
            text += &self.opened_by_code(&seen.state, descriptor & 0xffff_ffff)?;
        }
        self.close(HopKind::Input, text);
        Ok(Next::End)
    }

    /// Goes on from a function of the library that has copied the value, as `memcpy`, if one has.
    pub(super) fn by_library(
        &mut self,
        code: &Code<'_>,
        state: &Snapshot,
        address: u64,
        tracked: &Tracked,
    ) -> Result<Option<Next>, Error> {
        let own = code.name.as_deref().and_then(|name| Some((name.to_owned(), copier(name)?)));
        if own.is_none() && !code.is_library {
            return Ok(None);
        }
        let program = self.program();
        let (Some(cfa), Some(sp)) = (state.cfa(program), state.sp()) else { return Ok(None) };
        let into = cfa.wrapping_sub(8).wrapping_sub(sp);
        let by_call = || {
            let (caller, call) = self.call_of(state, into)?;
            let listed = caller.list.get(caller.index(call.pc)?)?;
            let Onward::Call(Some(target)) = listed.onward else { return None };
            let name = self.stub_name(&call, target)?;
            let copier = copier(&name)?;
            Some((name, copier))
        };
        let Some((name, copier)) = own.or_else(by_call) else { return Ok(None) };
        let is_its = |seen: &Seen| {
            seen.written.is_none() && seen.state.tid == state.tid && seen.state.sp() == Some(cfa.wrapping_sub(8))
        };
        let ask = Ask { before: state, at: &[code.entry], memory: None, texts: Vec::new() };
        let Some(entry) = self.looker.last(&ask, &is_its)?.last.map(|seen| seen.state) else { return Ok(None) };
        let (Some(to), Some(from), Some(length)) = (entry.register(5), entry.register(4), entry.register(1)) else {
            return Ok(None);
        };
        let Some(offset) = address.checked_sub(to) else { return Ok(None) };
        let bare = plain(&name);
        let is_within = offset.saturating_add(tracked.bytes.len() as u64) <= length;
        if copier != Copier::Text && !is_within {
            return Ok(None);
        }
        // Users know the call, not the library's inside.
        let call = self.call_of(&entry, 0).map(|(_, call)| call);
        let call = match call {
            Some(call) => self.called(call)?,
            None => entry.clone(),
        };
        self.place(&call);
        if copier == Copier::Fill {
            let byte = from as u8;
            if tracked.bytes.iter().any(|own| *own != byte) {
                return Ok(None);
            }
            self.close(HopKind::Computed, format!("{bare} of {length} bytes with {byte:#x}"));
            return Ok(Some(Next::End));
        }
        let source = from.wrapping_add(offset);
        self.note(format!("by {bare}"));
        let name = of_memory(program, &call, source, tracked.bytes.len() as u64);
        self.close(HopKind::Copy, name.told(tracked.bytes.len()));
        let bytes = tracked.bytes.clone();
        Ok(Some(Next::on(Tracked::at(super::trace::Spot::Memory(source), bytes, entry))))
    }

    /// Goes on from a value that a function without source has returned in a register.
    pub(super) fn by_function(
        &mut self,
        name: &str,
        callee: Option<&Code<'_>>,
        call: &Snapshot,
        returned_in: u16,
    ) -> Result<Next, Error> {
        let argument = |number: u16| call.register(number).map_or_else(|| "?".to_owned(), |value| value.to_string());
        let bare = plain(name);
        if allocates(name) {
            let size = match bare.as_str() {
                "calloc" => format!("{} * {} bytes", argument(5), argument(4)),
                "realloc" | "aligned_alloc" | "memalign" | "mmap" | "mmap64" => format!("{} bytes", argument(4)),
                "reallocarray" => format!("{} * {} bytes", argument(4), argument(1)),
                _ => format!("{} bytes", argument(5)),
            };
            self.close(HopKind::Allocation, format!("{size} that {bare} has allocated"));
            return Ok(Next::End);
        }
        let library = callee.map(|callee| format!(" of {}", callee.module.name));
        match (returned_in >= XMM0, call.register(5)) {
            // What returns such a number is mostly given such ones.
            (true, _) => {
                if let Some(first) = self.vectors(call, &[XMM0])?.get(&XMM0).and_then(|bytes| bytes.get(..8)) {
                    // With nothing above it, a float is no double that anybody computes with.
                    let (kind, bytes) = match first.split_at_checked(4) {
                        Some((low, [0, 0, 0, 0])) if low.iter().any(|byte| *byte != 0) => ("float", low),
                        _ => ("double", first),
                    };
                    self.note(format!("its first argument, if that is a {kind}: {}", float(bytes)));
                }
            }
            (false, Some(first)) => {
                let symbol = self.program().symbol(call.pid, call.mapped(), first).map(|symbol| format!(" {symbol}"));
                self.note(format!("its first argument, if it has one: {first:#x}{}", symbol.unwrap_or_default()));
            }
            (false, None) => {}
        }
        self.close(HopKind::Library, format!("what {bare}{} returned", library.unwrap_or_default()));
        Ok(Next::End)
    }
}

/// Returns the plain name of a function: `memcpy`, of `__memcpy_avx_unaligned_erms`; `memcpy`, of `memcpy@plt`.
fn plain(name: &str) -> String {
    let start = name.trim_start_matches('_');
    for known in ["memcpy", "memmove", "mempcpy", "memset", "strcpy", "strncpy", "stpcpy", "stpncpy"] {
        if start.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '@'])) {
            return known.to_owned();
        }
    }
    let bare = name.strip_prefix("__libc_").or_else(|| name.strip_prefix("__GI_")).unwrap_or(name);
    match bare {
        "_Znwm" => "operator new".to_owned(),
        "_Znam" => "operator new[]".to_owned(),
        _ => bare.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_library_are_known_by_their_versions() {
        assert_eq!(copier("__memmove_avx_unaligned_erms"), Some(Copier::Memory));
        assert_eq!(copier("memcpy"), Some(Copier::Memory));
        assert_eq!(copier("__strcpy_avx2"), Some(Copier::Text));
        assert_eq!(copier("memset"), Some(Copier::Fill));
        assert_eq!(copier("memcpy_of_mine".strip_suffix("_of_mine").unwrap_or_default()), Some(Copier::Memory));
        assert_eq!(copier("strcat"), None);
        assert_eq!(plain("__memmove_avx_unaligned_erms"), "memmove");
    }
}

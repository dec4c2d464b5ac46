//! Lists of names: `info functions`, `info variables`, `info types`, `info scope`; and `info auxv`.

use super::error::Error;
use super::execution::Execution;
use super::frames::wide;
use engine::Named;

/// Longest string of an entry of the auxiliary vector.
const MAX_STRING: u64 = 200;

/// How an entry of the auxiliary vector is shown.
#[derive(Clone, Copy)]
enum Form {
    Decimal,
    Hex,
    Text,
}

/// The entries of the auxiliary vector (`<elf.h>`), in GDB's words.
const ENTRIES: &[(u64, &str, &str, Form)] = &[
    (0, "AT_NULL", "End of vector", Form::Hex),
    (1, "AT_IGNORE", "Entry should be ignored", Form::Hex),
    (2, "AT_EXECFD", "File descriptor of program", Form::Decimal),
    (3, "AT_PHDR", "Program headers for program", Form::Hex),
    (4, "AT_PHENT", "Size of program header entry", Form::Decimal),
    (5, "AT_PHNUM", "Number of program headers", Form::Decimal),
    (6, "AT_PAGESZ", "System page size", Form::Decimal),
    (7, "AT_BASE", "Base address of interpreter", Form::Hex),
    (8, "AT_FLAGS", "Flags", Form::Hex),
    (9, "AT_ENTRY", "Entry point of program", Form::Hex),
    (10, "AT_NOTELF", "Program is not ELF", Form::Decimal),
    (11, "AT_UID", "Real user ID", Form::Decimal),
    (12, "AT_EUID", "Effective user ID", Form::Decimal),
    (13, "AT_GID", "Real group ID", Form::Decimal),
    (14, "AT_EGID", "Effective group ID", Form::Decimal),
    (15, "AT_PLATFORM", "String identifying platform", Form::Text),
    (16, "AT_HWCAP", "Machine-dependent CPU capability hints", Form::Hex),
    (17, "AT_CLKTCK", "Frequency of times()", Form::Decimal),
    (23, "AT_SECURE", "Boolean, was exec setuid-like?", Form::Decimal),
    (24, "AT_BASE_PLATFORM", "String identifying base platform", Form::Text),
    (25, "AT_RANDOM", "Address of 16 random bytes", Form::Hex),
    (26, "AT_HWCAP2", "Extension of AT_HWCAP", Form::Hex),
    (31, "AT_EXECFN", "File name of executable", Form::Text),
    (32, "AT_SYSINFO", "Special system info/entry points", Form::Hex),
    (33, "AT_SYSINFO_EHDR", "System-supplied DSO's ELF header", Form::Hex),
    (51, "AT_MINSIGSTKSZ", "Minimum stack size for signal delivery", Form::Hex),
];

/// What is to be listed.
#[derive(Default)]
struct Listing<'t> {
    regex: Option<&'t str>,
    /// `-q`: without a heading.
    quiet: bool,
    /// `-n`: without what has no debug info.
    described: bool,
}

/// Takes GDB's options off what is to be listed.
fn wanted(given: Option<&str>) -> Result<Listing<'_>, Error> {
    let mut rest = given.unwrap_or_default().trim_start();
    let mut wanted = Listing::default();
    while rest.starts_with('-') {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = behind.trim_start();
        match word {
            "-n" => wanted.described = true,
            "-q" => wanted.quiet = true,
            "--" => break,
            _ => {
                return Err(Error::said(format!(
                    "Unknown option {word}: there are -n and -q, and -- before what begins with -."
                )));
            }
        }
    }
    wanted.regex = (!rest.is_empty()).then_some(rest);
    Ok(wanted)
}

impl Execution<'_> {
    /// Prints what is listed: `All defined functions:`, or which match.
    fn list_head(&mut self, what: &str, wanted: &Listing<'_>) {
        if wanted.quiet {
            return;
        }
        self.say(match wanted.regex {
            Some(regex) => format!("All {what}s matching regular expression \"{regex}\":"),
            None => format!("All defined {what}s:"),
        });
    }

    fn list_named(&mut self, found: &[Named]) {
        let mut file = None;
        for named in found.iter().filter(|named| named.file.is_some()) {
            if self.terminal.is_full() {
                return;
            }
            if file != named.file {
                self.say(format!("\nFile {}:", named.file.as_deref().unwrap_or_default()));
                file.clone_from(&named.file);
            }
            let line = named.line.map(|line| format!("{line}:")).unwrap_or_default();
            self.say(format!("{line}\t{};", named.declaration));
        }
    }

    pub(super) fn info_functions(&mut self, given: Option<&str>) -> Result<(), Error> {
        let wanted = wanted(given)?;
        let mut found = self.engine.functions_listed(wanted.regex)?;
        found.retain(|named| !wanted.described || named.address.is_none());
        self.list_head("function", &wanted);
        self.list_named(&found);
        let mut bare = found.iter().filter_map(|named| Some((named.address?, &named.name))).peekable();
        if bare.peek().is_some() {
            self.say("\nNon-debugging symbols:");
        }
        for (address, name) in bare {
            if self.terminal.is_full() {
                break;
            }
            self.say(format!("{}  {name}", wide(address)));
        }
        Ok(())
    }

    pub(super) fn info_variables(&mut self, given: Option<&str>) -> Result<(), Error> {
        let wanted = wanted(given)?;
        let found = self.engine.variables_listed(wanted.regex)?;
        self.list_head("variable", &wanted);
        self.list_named(&found);
        Ok(())
    }

    pub(super) fn info_types(&mut self, given: Option<&str>) -> Result<(), Error> {
        let wanted = wanted(given)?;
        let found = self.engine.types_listed(wanted.regex)?;
        self.list_head("type", &wanted);
        if !found.is_empty() {
            self.say("");
        }
        for name in found {
            if self.terminal.is_full() {
                break;
            }
            self.say(format!("\t{name}"));
        }
        Ok(())
    }

    pub(super) fn info_scope(&mut self, location: &str) -> Result<(), Error> {
        let meant = self.meant(location)?;
        let places = self.engine.locations(&meant).map_err(|error| self.nowhere(location, error))?;
        let Some(place) = places.first() else { return Ok(()) };
        let found = self.engine.visible_at(place.address)?;
        if found.is_empty() {
            self.say(format!("Scope for {location}:\nNo locals."));
            return Ok(());
        }
        self.say(format!("Scope for {location}:"));
        for variable in found {
            let length = variable.size.map(|size| format!(", length {size}")).unwrap_or_default();
            self.say(format!("Symbol {} is a variable of type {}{length}.", variable.name, variable.ty));
        }
        Ok(())
    }

    pub(super) fn info_auxv(&mut self) -> Result<(), Error> {
        self.alive("The program has no auxiliary information now.")?;
        for (number, value) in self.engine.auxv()? {
            let known = ENTRIES.iter().find(|(known, ..)| *known == number);
            let (name, meaning, form) =
                known.map_or(("???", "", Form::Hex), |(_, name, meaning, form)| (*name, *meaning, *form));
            let value = match form {
                Form::Decimal => value.to_string(),
                Form::Hex => format!("{value:#x}"),
                Form::Text => format!("{value:#x} {}", self.text_at(value)),
            };
            self.say(format!("{number:<4} {name:<20} {meaning:<30} {value}"));
            if number == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Reads a text, in quotes.
    fn text_at(&mut self, address: u64) -> String {
        let block = self.engine.read_memory(&format!("{address:#x}"), MAX_STRING);
        let bytes = block.map(|block| block.bytes).unwrap_or_default();
        match bytes.iter().position(|byte| *byte == 0) {
            Some(end) => format!("{:?}", String::from_utf8_lossy(bytes.get(..end).unwrap_or_default())),
            None => "<it cannot be read>".to_owned(),
        }
    }
}

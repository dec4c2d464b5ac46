//! The target description: `target.xml` and the files that it includes, read into a [`RegisterLayout`].
//!
//! Only what is needed is looked at: `<architecture>`, `<xi:include href>`, `<flags id>` and `<reg>`. The rest (types,
//! fields, DTDs, comments) is skipped, so that a description from an rr of another year still works. rr 5.6 to 5.8 name
//! one whole-file description for each kind of CPU (`amd64-avx-linux.xml`) that includes the parts; later ones write
//! the list of parts into `target.xml`.
//!
//! Numbers are counted as GDB does: a `regnum` sets the number, otherwise it is one more than the last. For one
//! register that is not what rr counts: on a CPU with protection keys and without AVX-512, rr after 5.9.0 wants 0x94
//! for `pkru` where its description says 0x4c. Nothing tells the two apart, and rr answers a number that it does not
//! know with garbage, so the number of `pkru` must not be used; its value in the `g` reply is right.

use arch::{Arch, Register, RegisterKind, RegisterLayout};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the root file.
pub(super) const ROOT: &str = "target.xml";

/// Most files that a description may consist of.
pub(super) const MOST_FILES: usize = 32;

/// Deepest inclusion.
const DEEPEST: usize = 4;

/// Most registers.
const MOST_REGISTERS: usize = 1024;

/// Widest register, in bits.
const WIDEST: usize = 16_384;

/// Lists the files that this one includes: names that rr gave, and that it therefore serves. Other names are fatal to
/// rr, so whatever does not look like a plain file name is left out.
pub(super) fn includes(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for element in Elements::new(text).filter(|e| e.name == "xi:include") {
        if let Some(href) = element.attribute("href")
            && is_plain(href)
            && names.len() < MOST_FILES
        {
            names.push(href.to_owned());
        }
    }
    names
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.len() <= 100 && name.ends_with(".xml") && !name.starts_with('.') && name.chars().all(plain)
}

/// Parses the layout that `files` describe, of which [`ROOT`] is one.
pub(super) fn layout(files: &BTreeMap<String, String>) -> Result<RegisterLayout, String> {
    let mut reader =
        Reader { files, arch: None, flags: BTreeSet::new(), registers: Vec::new(), number: 0, offset: 0, read: 0 };
    reader.read(ROOT, 0)?;
    let arch = reader.arch.or_else(|| guess_arch(&reader.registers)).ok_or("no <architecture>")?;
    let layout = RegisterLayout { arch, registers: reader.registers };
    for needed in [arch.pc_name(), arch.sp_name()] {
        if layout.find(needed).is_none() {
            return Err(format!("no register `{needed}`"));
        }
    }
    Ok(layout)
}

/// Guesses the architecture of a description without `<architecture>`.
fn guess_arch(registers: &[Register]) -> Option<Arch> {
    let has = |name: &str| registers.iter().any(|r| r.name == name);
    match () {
        () if has("rip") => Some(Arch::X86_64),
        () if has("x30") && has("pc") => Some(Arch::Aarch64),
        () => None,
    }
}

struct Reader<'a> {
    files: &'a BTreeMap<String, String>,
    arch: Option<Arch>,
    /// Ids of `<flags>` types.
    flags: BTreeSet<String>,
    registers: Vec<Register>,
    /// The next register's number, unless it names its own.
    number: u32,
    /// Where the next register starts in the `g` reply.
    offset: usize,
    /// Files read so far. Bounds what a description that includes itself can cost.
    read: usize,
}

impl Reader<'_> {
    fn read(&mut self, file: &str, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("inclusion deeper than {DEEPEST}"));
        }
        self.read += 1;
        if self.read > MOST_FILES {
            return Err(format!("more than {MOST_FILES} files"));
        }
        let text = self.files.get(file).ok_or_else(|| format!("no file `{file}`"))?;
        for element in Elements::new(text) {
            match element.name {
                "architecture" => self.arch = Some(architecture(element.text)?),
                "xi:include" => {
                    let href = element.attribute("href").ok_or("an <xi:include> without href")?;
                    self.read(href, depth + 1)?;
                }
                "flags" => self.flags.extend(element.attribute("id").map(str::to_owned)),
                "reg" => self.register(&element)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn register(&mut self, element: &Element<'_>) -> Result<(), String> {
        let name = element.attribute("name").ok_or("a <reg> without name")?;
        let bits: usize = element
            .attribute("bitsize")
            .and_then(|b| b.parse().ok())
            .filter(|b| (8..=WIDEST).contains(b) && b % 8 == 0)
            .ok_or_else(|| format!("register `{name}` without a whole number of bytes"))?;
        if let Some(text) = element.attribute("regnum") {
            self.number = text.parse().map_err(|_| format!("register `{name}` with number `{text}`"))?;
        }
        if self.registers.len() == MOST_REGISTERS {
            return Err(format!("more than {MOST_REGISTERS} registers"));
        }
        let size = bits / 8;
        let kind = self.kind(element.attribute("type").unwrap_or("int"), bits);
        self.registers.push(Register { name: name.to_owned(), number: self.number, size, offset: self.offset, kind });
        self.number = self.number.wrapping_add(1);
        self.offset += size;
        Ok(())
    }

    fn kind(&self, ty: &str, bits: usize) -> RegisterKind {
        match ty {
            "code_ptr" => RegisterKind::CodePointer,
            "data_ptr" => RegisterKind::DataPointer,
            "i387_ext" => RegisterKind::Float80,
            _ if self.flags.contains(ty) => RegisterKind::Flags,
            _ if bits > 64 => RegisterKind::Vector,
            _ => RegisterKind::Integer,
        }
    }
}

fn architecture(text: &str) -> Result<Arch, String> {
    match text.trim() {
        "i386:x86-64" => Ok(Arch::X86_64),
        "aarch64" => Ok(Arch::Aarch64),
        other => Err(format!("architecture `{}`; known are i386:x86-64 and aarch64", other.escape_debug())),
    }
}

/// A start tag, with the text up to the next tag.
struct Element<'a> {
    name: &'a str,
    attributes: &'a str,
    text: &'a str,
}

impl<'a> Element<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.attributes;
        loop {
            let (key, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, tail) = after[1..].split_once(quote)?;
            if key.trim() == name {
                return Some(value);
            }
            rest = tail;
        }
    }
}

/// Iterates over the start tags of a file; comments, declarations and end tags are skipped.
struct Elements<'a> {
    rest: &'a str,
}

impl<'a> Elements<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            let open = self.rest.find('<')?;
            let tag = &self.rest[open + 1..];
            if let Some(comment) = tag.strip_prefix("!--") {
                self.rest = &comment[comment.find("-->")? + 3..];
                continue;
            }
            let close = tag.find('>')?;
            let (body, rest) = (&tag[..close], &tag[close + 1..]);
            self.rest = rest;
            if body.starts_with(['/', '!', '?']) {
                continue;
            }
            let body = body.strip_suffix('/').unwrap_or(body);
            let (name, attributes) = body.split_once(|c: char| c.is_whitespace()).unwrap_or((body, ""));
            let text = rest.find('<').map_or(rest, |end| &rest[..end]);
            return Some(Element { name, attributes, text });
        }
    }
}

#[cfg(test)]
mod tests;

//! Which of the functions inlined at an address is meant.

use arch::LinkAddr;
use dwarf::{Image, InlineFrame, SourcePath};

/// Returns which of the functions inlined at an address a line means: the innermost that is in the line there. Behind the
/// prologue of a function that the line begins, that may be none: then it is the function itself.
pub(crate) fn level_on_line(image: &Image, address: LinkAddr, line: u32, file: &SourcePath) -> usize {
    let is_there = |f: &InlineFrame| f.line == Some(line) && f.file.as_deref() == Some(file);
    if image.inline_chain(address).iter().any(is_there) {
        return level_at(image, address, is_there);
    }
    let function = image.function_at(address).filter(|f| image.after_prologue(f) == address);
    level_at(image, address, |f| function.is_some() && !f.inlined)
}

/// Returns which of the functions inlined at an address, of those that begin there and the one around them, is the
/// innermost that is asked for.
pub fn level_at(image: &Image, address: LinkAddr, is_asked: impl Fn(&InlineFrame) -> bool) -> usize {
    let chain = image.inline_chain(address);
    let beginning = chain.iter().take_while(|f| f.begins).count();
    chain.iter().take(beginning + 1).position(is_asked).unwrap_or(0)
}

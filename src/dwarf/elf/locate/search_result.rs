//! What a search for a file came to.

use crate::elf::file::ElfFile;
use crate::model::error::Error;
use base::untrusted::PathText as _;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// So many of the places that were looked at are listed.
const LISTED: usize = 8;

/// Why a file that is there is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It cannot be opened, or is no usable ELF file.
    Unreadable(String),
    /// It has another build-id, this one.
    OtherBuild(String),
    /// It has no build-id.
    NoBuild,
    /// Its checksum is not the one that is wanted.
    OtherChecksum,
    /// It is for another machine.
    OtherMachine,
    /// It has nothing that the image's own file has not.
    Useless,
    /// It has no split unit with this id.
    NoUnit(u64),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => f.write_str(why),
            Self::OtherBuild(id) => write!(f, "of another build, with build-id {id}"),
            Self::NoBuild => f.write_str("without a build-id"),
            Self::OtherChecksum => f.write_str("of another build, by its checksum"),
            Self::OtherMachine => f.write_str("for another machine"),
            Self::Useless => f.write_str("without debug info"),
            Self::NoUnit(id) => write!(f, "of another build, without a unit of the id {id:#018x}"),
        }
    }
}

/// The places that were looked at in vain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Searched {
    absent: Vec<PathBuf>,
    refused: Vec<(PathBuf, Refusal)>,
    seen: HashSet<PathBuf>,
}

impl Searched {
    /// Returns what `accept` makes of the first of these files that it does not refuse.
    pub(crate) fn first<T>(
        &mut self,
        candidates: impl IntoIterator<Item = PathBuf>,
        mut accept: impl FnMut(ElfFile) -> Result<T, Refusal>,
    ) -> Option<T> {
        for path in candidates {
            if !self.seen.insert(path.clone()) {
                continue;
            }
            // The client of debuginfod leaves an empty file where a server had nothing.
            let is_empty = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() == 0);
            let refusal = match ElfFile::open(&path) {
                Ok(file) => match accept(file) {
                    Ok(found) => return Some(found),
                    Err(refusal) => refusal,
                },
                Err(Error::Io { source, .. }) if is_absence(source.kind()) => {
                    self.absent.push(path);
                    continue;
                }
                Err(_) if is_empty(&path) => {
                    self.absent.push(path);
                    continue;
                }
                Err(Error::Io { source, .. }) => Refusal::Unreadable(source.to_string()),
                Err(Error::NotElf { reason, .. }) => Refusal::Unreadable(format!("not a usable ELF file: {reason}")),
                Err(Error::UnsupportedMachine { .. }) => Refusal::OtherMachine,
                Err(other) => Refusal::Unreadable(other.to_string()),
            };
            self.refused.push((path, refusal));
        }
        None
    }

    /// Returns whether nothing said where to look.
    pub(crate) fn is_nowhere(&self) -> bool {
        self.absent.is_empty() && self.refused.is_empty()
    }

    /// Returns whether a file was there, but not the right one.
    pub(crate) fn is_mismatch(&self) -> bool {
        !self.refused.is_empty()
    }
}

fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// `/a/x.debug is of another build, with build-id 12ab; no x.debug in /b, /c; not at /d/y.debug`.
impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_nowhere() {
            return f.write_str("there are no directories to search");
        }
        let mut said: Vec<String> =
            self.refused.iter().take(LISTED).map(|(path, why)| format!("{} is {why}", path.in_text())).collect();
        said.extend(absence(self.absent.iter().take(LISTED)));
        f.write_str(&said.join("; "))?;
        let more = self.refused.len().saturating_sub(LISTED) + self.absent.len().saturating_sub(LISTED);
        if more > 0 {
            write!(f, " and {more} more places")?;
        }
        Ok(())
    }
}

/// Says which files are not there: directories are listed after a name that several of them lack.
fn absence<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Vec<String> {
    let mut by_name: Vec<(Option<&OsStr>, Vec<&PathBuf>)> = Vec::new();
    for path in paths {
        match by_name.iter_mut().find(|(name, _)| *name == path.file_name()) {
            Some((_, same)) => same.push(path),
            None => by_name.push((path.file_name(), vec![path])),
        }
    }
    let list = |paths: &[&Path]| paths.iter().map(|p| p.in_text()).collect::<Vec<_>>().join(", ");
    let (many, single): (Vec<_>, Vec<_>) =
        by_name.into_iter().partition(|(name, same)| name.is_some() && same.len() > 1);
    let mut said = Vec::new();
    for (name, same) in many {
        let directories: Vec<&Path> = same.iter().filter_map(|path| path.parent()).collect();
        said.push(format!("no {} in {}", Path::new(name.unwrap_or_default()).in_text(), list(&directories)));
    }
    let single: Vec<&Path> = single.iter().flat_map(|(_, same)| same.iter().map(|path| path.as_path())).collect();
    if !single.is_empty() {
        said.push(format!("not at {}", list(&single)));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_listed_by_name() {
        let mut searched = Searched::default();
        assert_eq!(searched.to_string(), "there are no directories to search");
        searched.absent = ["/a/x", "/b/y", "/c/x", "/d/z"].map(PathBuf::from).to_vec();
        assert_eq!(searched.to_string(), "no x in /a, /c; not at /b/y, /d/z");
        searched.refused = vec![("/e/x".into(), Refusal::NoBuild), ("/f".into(), Refusal::OtherMachine)];
        let text = "/e/x is without a build-id; /f is for another machine; no x in /a, /c; not at /b/y, /d/z";
        assert_eq!(searched.to_string(), text);
        searched.refused.clear();
        searched.absent = (0..20).map(|i| PathBuf::from(format!("/{i}/x"))).collect();
        assert_eq!(searched.to_string(), "no x in /0, /1, /2, /3, /4, /5, /6, /7 and 12 more places");
    }
}

//! Where the files are that hold what an image's own file lacks: separate debug files, the supplementary files that
//! these share, split units and packages of them.
//!
//! The places are those of GDB's manual, "Debugging Information in Separate Files", and of debuginfod's client. A file
//! found by build-id has to carry that id; one found by `.gnu_debuglink` has to have its checksum, unless both have
//! build-ids, which then decide (and reading hundreds of megabytes for their checksum is saved); a split unit has to
//! have the id that its skeleton names.

mod links;
mod search_result;

pub(crate) use search_result::{Refusal, Searched};

use super::build_id::hex;
use crate::elf::file::ElfFile;
use links::{DebugLink, Identity, SupplementLink};
use std::path::{Path, PathBuf};

/// Where separate debug files are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugPaths {
    /// Roots that hold `.build-id/xx/yyyy.debug` and mirrored paths: `/usr/lib/debug`.
    pub directories: Vec<PathBuf>,
    /// Where debuginfod's client keeps what it fetched: `BUILDID/debuginfo` below it.
    pub debuginfod_cache: Option<PathBuf>,
}

impl DebugPaths {
    /// Returns the file that debuginfod's client keeps the debug info for a build-id in.
    pub fn fetched(&self, build_id: &[u8]) -> Option<PathBuf> {
        Some(self.debuginfod_cache.as_ref()?.join(hex(build_id)).join("debuginfo"))
    }

    /// Lists the places of a file by build-id, but for the cache.
    fn by_build_id(&self, build_id: &[u8]) -> Vec<PathBuf> {
        let Some((first, rest)) = build_id.split_first() else {
            return Vec::new();
        };
        let name = format!(".build-id/{}/{}.debug", hex(&[*first]), hex(rest));
        self.directories.iter().map(|directory| directory.join(&name)).collect()
    }

    /// Iterates over the directories where debug directories mirror a directory of installed files.
    fn mirrored<'p>(&'p self, directory: &'p Path) -> impl Iterator<Item = PathBuf> + 'p {
        let below_root = directory.strip_prefix("/").unwrap_or(directory);
        self.directories.iter().map(move |debug| debug.join(below_root))
    }
}

/// The surroundings of an image in which other files are looked for.
#[derive(Debug, Default)]
pub(crate) struct SearchPaths {
    /// Paths that its file has or had: where it was installed or built, which a recording's copy of it is not.
    names: Vec<PathBuf>,
    paths: DebugPaths,
}

impl SearchPaths {
    /// Creates a `SearchPaths` for a file and the path that the program knew it by.
    pub(crate) fn new(file: &Path, known_as: &Path, paths: &DebugPaths) -> Self {
        // A relative path counts from a directory that is not ours. A recording's copy has nothing of its file's beside
        // it.
        let known_as = if known_as.is_absolute() { known_as } else { file };
        let mut names = vec![known_as.to_owned()];
        // Debug files mirror the path of what they belong to, with links resolved.
        names.extend(known_as.canonicalize().ok().filter(|real| real != known_as));
        Self { names, paths: paths.clone() }
    }

    /// Returns whether it is code without a file, which is not to lead anywhere: its links were read out of a process's
    /// memory.
    fn is_nowhere(&self) -> bool {
        self.names.is_empty()
    }

    fn directories(&self) -> impl Iterator<Item = &Path> {
        self.names.iter().filter_map(|name| name.parent())
    }

    /// Finds the debug file of an image that has no debug info of its own.
    pub(crate) fn debug_file(&self, file: &ElfFile) -> Result<ElfFile, Searched> {
        let mut searched = Searched::default();
        let found = self.by_debug_link(file, &mut searched).or_else(|| self.by_build_id(file, &mut searched));
        found.ok_or(searched)
    }

    fn by_debug_link(&self, file: &ElfFile, searched: &mut Searched) -> Option<ElfFile> {
        let link = DebugLink::of(file)?;
        let beside = |directory: &Path| [directory.join(&link.name), directory.join(".debug").join(&link.name)];
        let mut candidates: Vec<PathBuf> = self.directories().flat_map(beside).collect();
        for directory in self.directories() {
            candidates.extend(self.paths.mirrored(directory).map(|mirror| mirror.join(&link.name)));
        }
        searched.first(candidates, |candidate| {
            useful(file, &candidate)?;
            match (&candidate.build_id, &file.build_id) {
                (Some(a), Some(b)) if a == b => Ok(candidate),
                (Some(other), Some(_)) => Err(Refusal::OtherBuild(hex(other))),
                _ if crc32(candidate.bytes()) == link.checksum => Ok(candidate),
                _ => Err(Refusal::OtherChecksum),
            }
        })
    }

    fn by_build_id(&self, file: &ElfFile, searched: &mut Searched) -> Option<ElfFile> {
        let id = file.build_id.as_ref()?;
        let candidates = self.paths.by_build_id(id).into_iter().chain(self.paths.fetched(id));
        searched.first(candidates, |candidate| {
            useful(file, &candidate)?;
            open_with_build_id(candidate, id)
        })
    }

    /// Finds the supplementary file that the debug info in `debug` refers to; `None` if it refers to none.
    pub(crate) fn supplement(&self, debug: &ElfFile) -> Option<Result<ElfFile, Searched>> {
        if self.is_nowhere() {
            return None;
        }
        let link = SupplementLink::of(debug)?;
        let name = Path::new(&link.name);
        let real = debug.path().canonicalize().ok();
        let parents = [real.as_deref(), Some(debug.path())].into_iter().flatten().filter_map(Path::parent);
        let mut candidates: Vec<PathBuf> =
            parents.chain(self.directories()).map(|directory| directory.join(name)).collect();
        // Distributions gather them below the directory of debug files.
        if let Some((_, below)) = link.name.split_once("/.dwz/") {
            candidates.extend(self.paths.directories.iter().map(|directory| directory.join(".dwz").join(below)));
        }
        if let Identity::BuildId(id) = &link.identity {
            candidates.extend(self.paths.by_build_id(id));
            candidates.extend(self.paths.fetched(id));
        }
        let mut searched = Searched::default();
        let found = searched.first(candidates, |candidate| {
            if link.identity.is_of(&candidate) {
                return Ok(candidate);
            }
            Err(candidate.build_id.as_deref().map_or(Refusal::OtherChecksum, |id| Refusal::OtherBuild(hex(id))))
        });
        Some(found.ok_or(searched))
    }

    /// Lists the files that may be the package of an image's split units.
    pub(crate) fn packages(&self, debug_file: Option<&Path>) -> Vec<PathBuf> {
        if self.is_nowhere() {
            return Vec::new();
        }
        let with_suffix = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(".dwp");
            PathBuf::from(name)
        };
        let mut candidates: Vec<PathBuf> = self.names.iter().map(|name| with_suffix(name)).collect();
        for name in &self.names {
            candidates.extend(self.paths.mirrored(name).map(|mirror| with_suffix(&mirror)));
        }
        if let Some(debug_file) = debug_file {
            candidates.push(with_suffix(debug_file));
            // `program.debug` is the debug file of `program`.
            candidates.push(debug_file.with_extension("dwp"));
        }
        candidates
    }

    /// Lists the files that may have the split unit of this name (DW_AT_dwo_name), which was compiled in this
    /// directory.
    pub(crate) fn split_units(
        &self,
        name: &Path,
        compiled_in: Option<&Path>,
        debug_file: Option<&Path>,
    ) -> Vec<PathBuf> {
        let mut candidates = Vec::new();
        if self.is_nowhere() {
            return candidates;
        }
        // `join` leaves an absolute name as it is.
        candidates.extend(compiled_in.map(|directory| directory.join(name)).filter(|path| path.is_absolute()));
        let beside = self.directories().chain(debug_file.and_then(Path::parent));
        let bare = name.file_name().map(Path::new);
        for directory in beside {
            candidates.extend([Some(name), bare].into_iter().flatten().map(|name| directory.join(name)));
        }
        if let Some(path) = compiled_in.map(|directory| directory.join(name)) {
            candidates.extend(self.paths.mirrored(&path));
        }
        candidates
    }
}

/// Fails unless a file has something that another one lacks. The file itself, which a link may lead back to, has not.
fn useful(file: &ElfFile, candidate: &ElfFile) -> Result<(), Refusal> {
    if candidate.arch != file.arch {
        return Err(Refusal::OtherMachine);
    }
    let lacks = |name| file.section(name).is_none() && candidate.section(name).is_some();
    if lacks(".debug_info") || lacks(".symtab") { Ok(()) } else { Err(Refusal::Useless) }
}

fn open_with_build_id(candidate: ElfFile, id: &[u8]) -> Result<ElfFile, Refusal> {
    match &candidate.build_id {
        Some(found) if found == id => Ok(candidate),
        Some(other) => Err(Refusal::OtherBuild(hex(other))),
        None => Err(Refusal::NoBuild),
    }
}

/// Computes the CRC of `.gnu_debuglink`: CRC-32 as in IEEE 802.3, bit-reversed, over the whole file.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut crc = i as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
                bit += 1;
            }
            table[i] = crc;
            i += 1;
        }
        table
    };
    let step = |crc: u32, byte: &u8| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8);
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests;

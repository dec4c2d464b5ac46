//! From `file:line` to addresses, by the rules that GDB sets breakpoints on lines by.

use crate::lines::table::Row;
use crate::model::code::{LineMatch, SourcePath};
use crate::model::die::DieId;
use crate::names::lookup::Names;
use crate::tasks::work::Measure;
use crate::units::blocks::{BlockKind, contains};
use crate::units::entry::UnitEntry;
use arch::LinkAddr;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Component, Path};
use std::sync::Arc;

/// A file of a unit: index of the unit, index into its file table.
type UnitFile = (usize, u32);

impl Names<'_> {
    /// Finds the addresses of a line. `file` matches as GDB matches: whole path, or trailing path components.
    ///
    /// If no code of the files that match is of this very line, the next line that has some is taken.
    pub(crate) fn addresses_of_line(&self, file: &str, line: u32) -> Vec<LineMatch> {
        let files = self.unit_files_matching(file);
        if line == 0 {
            return Vec::new();
        }
        self.read_lines(&files);
        let exact = files.iter().any(|f| self.statements(*f).any(|row| row.line == line));
        let next = || files.iter().flat_map(|f| self.statements(*f)).map(|row| row.line).filter(|l| *l > line).min();
        let found = if exact { Some(line) } else { next() };
        let Some(found) = found else { return Vec::new() };
        let mut seen_blocks = HashSet::new();
        let mut matches: BTreeMap<_, LineMatch> = BTreeMap::new();
        for unit_file in &files {
            let Some(source) = self.source_path(*unit_file) else {
                continue;
            };
            let mut rows: Vec<Row> = self.statements(*unit_file).filter(|row| row.line == found).collect();
            rows.sort_by_cached_key(|row| self.is_split_off(LinkAddr(row.address)));
            for row in rows {
                let Some(address) = self.line_breakpoint(row, &mut seen_blocks) else {
                    continue;
                };
                let empty = || LineMatch { addresses: Vec::new(), file: source.clone(), line: found };
                matches.entry(source.path.clone()).or_insert_with(empty).addresses.push(address);
            }
        }
        for found in matches.values_mut() {
            found.addresses.sort_unstable();
            found.addresses.dedup();
        }
        matches.into_values().collect()
    }

    /// Finds the source files whose trailing components match.
    pub(crate) fn files_matching(&self, file: &str) -> Vec<Arc<SourcePath>> {
        let mut known = BTreeSet::new();
        let files = self.unit_files_matching(file).into_iter().filter_map(|f| self.source_path(f));
        files.filter(|f| known.insert(f.path.clone())).collect()
    }

    /// Lists the source files, each once, in the order of the units.
    pub(crate) fn source_files(&self) -> Vec<Arc<SourcePath>> {
        let mut known = BTreeSet::new();
        let files = self.units().iter().flat_map(|unit| unit.files(self).files.iter());
        files.filter(|file| known.insert(file.path.clone())).cloned().collect()
    }

    /// Lists the names, without directories, of source files that begin so, in order.
    pub(crate) fn files_beginning(&self, typed: &str) -> BTreeSet<String> {
        let files = self.units().iter().flat_map(|unit| unit.files(self).files.iter());
        let names = files.filter_map(|file| file.path.file_name()?.to_str());
        names.filter(|name| name.starts_with(typed)).map(str::to_owned).collect()
    }

    /// Returns where a breakpoint on a row goes; `None` if there is one for its block already.
    fn line_breakpoint(&self, row: Row, seen_blocks: &mut HashSet<DieId>) -> Option<LinkAddr> {
        let at = LinkAddr(row.address);
        // An optimiser scatters a line over several places of one block; the first of them is enough.
        if let Some(block) = self.block_at(at)
            && !seen_blocks.insert(block)
        {
            return None;
        }
        Some(self.breakpoint_address(at))
    }

    /// Returns whether code is in a part of its function that is not the one it is entered at: `.text.unlikely`. A line
    /// that is in both parts begins in the other one.
    fn is_split_off(&self, at: LinkAddr) -> bool {
        self.function_at(at).is_some_and(|function| {
            let around = function.ranges.iter().find(|(from, to)| (*from..*to).contains(&at));
            around.is_some_and(|(from, to)| !(*from..*to).contains(&function.entry))
        })
    }
}

impl<'a> Names<'a> {
    /// Finds the files of all units that a user's name for a file means. Kept for the last name: who asks for a line of
    /// a file asks for others, too.
    fn unit_files_matching(&self, asked: &str) -> Vec<UnitFile> {
        // A panic of another thread leaves at worst nothing behind.
        let lock = || self.last_file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((_, found)) = lock().as_ref().filter(|(name, _)| name == asked) {
            return found.clone();
        }
        let found = self.read_files_matching(asked);
        *lock() = Some((asked.to_owned(), found.clone()));
        found
    }

    fn read_files_matching(&self, asked: &str) -> Vec<UnitFile> {
        let wanted = normal_components(Path::new(asked));
        let Some(last) = wanted.last() else { return Vec::new() };
        let absolute = asked.starts_with('/');
        let mut found = Vec::new();
        let task = self.sections.work.begin("reading source files of", Measure::Units, self.units().len() as u64);
        for (number, entry) in self.units().iter().enumerate() {
            task.did(1);
            if !may_have_file(self, entry, last) {
                continue;
            }
            for (index, file) in entry.files(self).files.iter().enumerate() {
                let path = normal_components(&file.path);
                let matches = if absolute { path == wanted } else { path.ends_with(&wanted) };
                if matches || file.name == asked {
                    found.push((number, index as u32));
                }
            }
        }
        found
    }

    /// Reads the line tables of the units that have these files.
    fn read_lines(&self, files: &[UnitFile]) {
        let task = self.sections.work.begin("reading line tables of", Measure::Units, files.len() as u64);
        for entry in files.iter().filter_map(|(unit, _)| self.units().get(*unit)) {
            entry.lines(self);
            task.did(1);
        }
    }

    fn source_path(&self, (unit, file): UnitFile) -> Option<Arc<SourcePath>> {
        self.units().get(unit)?.files(self).files.get(file as usize).cloned()
    }

    /// Iterates over the rows of a file that are recommended breakpoint locations.
    fn statements(&self, (unit, file): UnitFile) -> impl Iterator<Item = Row> + '_ {
        let rows = self.units().get(unit).map(|u| u.lines(self).rows()).unwrap_or_default();
        rows.iter().filter(move |r| r.file == file && r.is_stmt && r.line != 0).copied()
    }

    /// Finds the innermost block around an address. As in GDB, one that declares nothing does not count.
    fn block_at(&self, a: LinkAddr) -> Option<DieId> {
        let tree = self.block_tree_at(a)?;
        let counting = tree.around(a).into_iter().rev().find(|b| b.kind != BlockKind::EmptyLexical)?;
        contains(&counting.ranges, a).then_some(counting.die)
    }
}

/// Returns whether some file of the unit may have this last component; a cheap test before all paths are made.
fn may_have_file<'a>(names: &Names<'a>, entry: &UnitEntry<'a>, last: &str) -> bool {
    let Some(unit) = entry.unit(names) else { return false };
    let Some(program) = &unit.line_program else {
        return false;
    };
    program.header().file_names().iter().any(|file| {
        let name = unit.attr_string(file.path_name());
        name.is_ok_and(|name| name.slice().ends_with(last.as_bytes()) || name.slice().ends_with(b"."))
    })
}

/// Returns the components of a path with `.` and `..` resolved as text, without the root.
fn normal_components(path: &Path) -> Vec<String> {
    let mut components = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => components.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => {
                components.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    components
}

#[cfg(test)]
mod tests;

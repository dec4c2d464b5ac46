//! Files that become shorter while they are mapped: an image of one has no answers any more.

use super::facade::Image;
use crate::sections::missing_debug_info::Subject;
use base::untrusted::{PathText as _, SHORTER, any_is_damaged};

impl Image {
    /// Answers a question, unless a file of the image became shorter before or meanwhile: what was read of it may be
    /// zeros, and what was made of that before is not believed either.
    pub(super) fn unless_shortened<R>(&self, ask: impl FnOnce() -> R) -> Option<R> {
        self.is_whole().then(ask).filter(|_| self.is_whole())
    }

    /// Returns whether no file of the image became shorter while it was mapped. If one did, that is noted as what is
    /// missing.
    fn is_whole(&self) -> bool {
        if !any_is_damaged() {
            return true;
        }
        let own = std::iter::once(self.elf()).chain(self.separate().map(|file| &**file));
        let shortened = own.into_iter().find(|file| file.is_damaged()).map(|file| file.path());
        let shortened = shortened.or_else(|| self.sections()?.shortened());
        if let Some(path) = shortened {
            self.problems.add_suffered(Subject::DebugFile, format!("{}: {SHORTER}", path.in_text()));
        }
        shortened.is_none()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::build;
    use crate::{DebugPaths, Image};
    use base::untrusted::SHORTER;
    use std::fs::{File, OpenOptions};
    use std::sync::Arc;

    fn opened(kept: usize, asked: impl Fn(&Image)) -> (Arc<Image>, tempfile::TempDir) {
        let program = build("gcc", "-g -O0", &["lines.c"]);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("program");
        std::fs::write(&path, &*program.bytes).unwrap();
        let image = Image::open(&path, &DebugPaths::default()).unwrap();
        asked(&image);
        assert!(image.problems().is_empty());
        OpenOptions::new().write(true).open(&path).unwrap().set_len(kept as u64).unwrap();
        (image, directory)
    }

    /// Asks until it shows that the file is shorter, and returns the answers from then on.
    fn assert_none(image: &Image) {
        let entry = build("gcc", "-g -O0", &["lines.c"]).entry("loop");
        let _ = (image.functions_named("loop"), image.line_at(entry), image.symbols_named("main"));
        assert_eq!(image.functions_named("loop"), Vec::new());
        assert_eq!((image.line_at(entry), image.symbol_at(entry)), (None, None));
        assert!(image.file_bytes(entry, 4).is_none() && image.source_files().is_empty());
        let problems = image.take_problems();
        assert!(problems.len() == 1 && problems[0].ends_with(SHORTER), "{problems:?}");
    }

    #[test]
    fn an_image_whose_file_became_shorter_has_no_answers_and_says_why() {
        for kept in [0, 4096] {
            assert_none(&opened(kept, |_| ()).0);
            // Also where all was read before: code is read out of the file when it is asked for.
            let asked = |image: &Image| assert_eq!(image.functions_named("loop").len(), 1);
            let (image, _directory) = opened(kept, asked);
            let entry = build("gcc", "-g -O0", &["lines.c"]).entry("main");
            let _ = image.file_bytes(entry, 4);
            assert_none(&image);
        }
    }

    #[test]
    fn images_of_other_files_go_on() {
        let other = build("gcc", "-g -O0", &["scopes.c"]).image;
        assert_none(&opened(0, |_| ()).0);
        assert!(!other.functions_named("main").is_empty() && other.problems().is_empty());
    }

    #[test]
    fn a_copy_of_another_program_over_it_is_noticed() {
        let (image, directory) = opened(0, |_| ());
        std::io::copy(&mut &b"\x7fELF\x02\x01\x01"[..], &mut File::create(directory.path().join("program")).unwrap())
            .unwrap();
        assert_none(&image);
    }
}

//! Reads of watched memory in probe passes: what they tell is what the program says of its reads.

use crate::DEADLINE;
use crate::catalogue::compile;
use crate::support::fixtures::scratch;
use crate::support::recordings::rr;
use crate::writes::{symbol, watch, written_in};
use rr::RecordOptions;
use softcounters::probes::{Access, Asked, Watch, Writer, Written};
use std::fs;

/// Bytes of hits that no test comes to.
const PLENTY: u64 = 1 << 30;
const SIZE: u64 = 65536;

#[test]
fn each_read_is_told_as_the_program_tells_it() {
    for (name, flags) in [("read-O1", &["-O1", "-pthread"][..]), ("read-O2", &["-O2", "-pthread", "-no-pie"])] {
        let program = compile("read.c", flags, name);
        let [trace, log] = ["trace", "log"].map(|kind| scratch().join(format!("{name}.{kind}")));
        let options = RecordOptions {
            command: [&program, &log].map(|path| path.to_str().unwrap().to_owned()).to_vec(),
            trace_dir: Some(trace.clone()),
            timeout: Some(DEADLINE),
            ..RecordOptions::default()
        };
        let recorded = rr().record(&options).unwrap();
        assert_eq!(recorded.exit_code, Some(0), "{}", recorded.stderr);
        let log = fs::read_to_string(log).unwrap();
        let tell = |access| {
            let arena = Watch { access, ..watch(&program, symbol(&program, "arena"), SIZE) };
            let asked = Asked { watches: vec![arena], ..Asked::default() };
            let pass = rr().pass(&trace, &asked, PLENTY, DEADLINE).unwrap();
            written_in(&pass)
        };
        let reads = tell(Access::Read);
        let all = tell(Access::Both);
        let base = all[0].1.address & !0xfff;
        let main = all[0].0;
        let mut told = reads.iter();
        for line in log.lines().take_while(|line| !line.starts_with("end")) {
            let mut words = line.rsplitn(3, ' ');
            let (length, offset): (u64, u64) =
                (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap());
            let way = words.next().unwrap();
            let (tid, read) = told.next().unwrap_or_else(|| panic!("{name}: {way} is not told"));
            assert_eq!((read.address - base, read.length), (offset, length), "{name}: {way}: {read:?}");
            assert!(*tid == main && read.access == Access::Read && read.after.is_empty(), "{way}: {read:?}");
            assert!(matches!(read.writer, Writer::Instruction(_)), "{way}: {read:?}");
            assert_eq!(read.is_locked, way.contains("lock"), "{way}");
        }
        // The threads' reads, of what was there from the beginning.
        let rest: Vec<_> = told.collect();
        assert_eq!(rest.len(), 150);
        for (tid, read) in rest {
            let offset = read.address - base;
            let expected: Vec<u8> = (offset..offset + 4).map(|at| (at * 7) as u8).collect();
            assert!(*tid != main && (61000..61012).contains(&offset) && read.before == expected, "{read:?}");
        }
        // Who asks about both is told of each instruction once; each finds what the writes before it have left.
        let same = |read: &Written, other: &Written| {
            (read.address, read.length, &read.before) == (other.address, other.length, &other.before)
        };
        let both: Vec<&Written> = all.iter().map(|(_, one)| one).filter(|one| one.access.reads()).collect();
        assert!(both.len() == reads.len() && both.iter().zip(&reads).all(|(one, (_, read))| same(one, read)), "{name}");
        let written = |one: &&&Written| one.access == Access::Both;
        assert_eq!(both.iter().filter(written).count(), 3 * 5);
        let mut memory = vec![0; SIZE as usize];
        for (_, one) in &all {
            let at = (one.address - base) as usize;
            assert_eq!(memory[at..at + one.before.len()], one.before, "{name}: {one:?}");
            if one.access.writes() {
                memory[at..at + one.after.len()].copy_from_slice(&one.after);
            }
        }
    }
}

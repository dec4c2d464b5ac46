//! The translations of one address space: what stands where in its region.
//!
//! *Anchors.* All links and table entries for a program address lead to its first translation, the anchor. To
//! invalidate is to overwrite the anchor's beginning with a jump to a stub that leaves the cache; a later translation
//! turns that jump into one to itself. So nothing has to know who links to a block.
//!
//! *Ways.* An address may have a second translation, for the last branches before an overflow ([`Lowering::Last`]). It
//! is an address of its own to all that is here: what follows it is translated the same way, or leaves the cache.

use std::ops::Range;
use std::sync::Arc;

use super::block::{Exit, Fixup, Lowering};
use super::layout::{self, REGION};
use super::made::Made;
use super::pages::{self, Numbers};
use super::piece::{Left, Piece};
use super::placed::Block;
use super::region_changes::{Changes, JUMP};
use super::stubs;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where everybody goes for this address.
    anchor: u64,
    /// Number of the block that leads to, which is a stub if there is no translation.
    block: u32,
    live: bool,
}

/// A program address and the way it is translated, as a number.
type Key = u64;

fn key(address: u64, lowering: Lowering) -> Key {
    // No program can be at an address so high.
    address | u64::from(lowering == Lowering::Last) << 63
}

/// The code of a live block.
#[derive(Clone, Copy, Debug)]
struct Source {
    start: u64,
    end: u64,
    key: Key,
}

impl Source {
    fn touches(&self, range: &Range<u64>) -> bool {
        self.start < range.end && range.start < self.end
    }
}

/// All translations of an address space.
#[derive(Clone, Debug)]
pub struct Index {
    /// By place, which is the order they were made in.
    blocks: Vec<Block>,
    entries: Numbers<Entry>,
    /// The code of live blocks, by the pages it touches.
    pages: Numbers<Vec<Source>>,
    /// By key, the last of the sites that wait for its translation; each with the one before it.
    waiting: Numbers<u32>,
    sites: Vec<(u64, Option<u32>)>,
    /// Numbers of the blocks with a mark that were not found run, and whether their addresses are in the table.
    guesses: Vec<(u32, bool)>,
    /// Next free address of the region.
    free: u64,
    end: u64,
    next_exit: u32,
    next_counter: u32,
}

impl Block {
    fn key(&self) -> Key {
        key(self.made.source(self.shift).start, self.made.lowering())
    }
}

impl Index {
    /// Begins with nothing translated; code may take up to `size` bytes of the region.
    pub fn new(size: u64) -> Index {
        Index {
            blocks: Vec::new(),
            entries: Numbers::default(),
            pages: Numbers::default(),
            waiting: Numbers::default(),
            sites: Vec::new(),
            guesses: Vec::new(),
            free: REGION + layout::CODE,
            end: REGION + size.clamp(layout::CODE, layout::SIZE),
            next_exit: 1,
            next_counter: 0,
        }
    }

    /// Returns where the translation of `address` is entered that lowers the count like this.
    pub fn entry(&self, address: u64, lowering: Lowering) -> Option<u64> {
        self.entries.get(&key(address, lowering)).filter(|entry| entry.live).map(|entry| entry.anchor)
    }

    /// Returns the block around an address of the region.
    pub fn block_at(&self, at: u64) -> Option<&Block> {
        let after = self.blocks.partition_point(|block| block.at <= at);
        self.blocks.get(after.checked_sub(1)?).filter(|block| at < block.end())
    }

    /// Returns the exit of this number.
    pub fn exit(&self, number: u32) -> Option<Exit> {
        let block = self.blocks.get(self.left_by(number)?)?;
        block.made.exit(number - block.first_exit, block.shift)
    }

    /// Returns what is executed of a piece at the exit of this number.
    pub fn left_at_exit(&self, number: u32) -> Left {
        let block = self.left_by(number).and_then(|place| self.blocks.get(place));
        block.map_or(Left::default(), |block| block.made.left_at_exit(number - block.first_exit, block.shift))
    }

    /// Returns what is owed at the exit of this number, see [`Point::owed`](super::block::Point::owed).
    pub fn owed_at_exit(&self, number: u32) -> i32 {
        let block = self.left_by(number).and_then(|place| self.blocks.get(place));
        block.map_or(0, |block| block.made.owed_at_exit(number - block.first_exit))
    }

    /// Returns how many counters are in use.
    pub fn counters(&self) -> u32 {
        self.next_counter
    }

    /// Returns what each of them counts, by their numbers.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        self.blocks.iter().flat_map(|block| block.made.pieces(block.shift))
    }

    /// Returns where the block that is left by the exit of this number is in the list.
    fn left_by(&self, number: u32) -> Option<usize> {
        self.blocks.partition_point(|block| block.first_exit <= number).checked_sub(1)
    }

    /// Returns how many bytes of the region may be used.
    pub fn size(&self) -> u64 {
        self.end - REGION
    }

    /// Returns whether most of the room for code is taken.
    pub fn is_crowded(&self) -> bool {
        let start = REGION + layout::CODE;
        self.free - start > (self.end - start) / 4 * 3
    }

    /// Returns whether a page of this range has translated code.
    pub fn touches(&self, range: &Range<u64>) -> bool {
        pages::touches(&self.pages, range)
    }

    /// Begins a set of changes.
    pub fn changes(&self) -> Changes {
        Changes { code_at: self.free, ..Changes::default() }
    }

    /// Places a translation, links it with what is there, and notes what to write. False if the region is full.
    ///
    /// `guess` is for a translation that nobody has come to yet, and says whether it is for indirect branches: it will
    /// be told by [`Index::take_run`] if somebody does.
    pub fn place(&mut self, made: &Arc<Made>, shift: u64, guess: Option<bool>, out: &mut Changes) -> bool {
        const ALIGN: u64 = 16;
        let at = self.free.next_multiple_of(ALIGN);
        let number = self.blocks.len() as u32;
        let mark = if guess.is_some() { stubs::mark(number) } else { vec![] };
        let lead = mark.len() as u64;
        let start = at + lead;
        let counters = u64::from(self.next_counter) + u64::from(made.counters());
        if start + made.code.len() as u64 > self.end || counters > layout::COUNTER_COUNT {
            return false;
        }
        out.code.resize((at - out.code_at) as usize, 0xcc);
        out.code.extend(mark);
        let offset = out.code.len();
        out.code.extend_from_slice(&made.code);
        self.fix(made, shift, start, &mut out.code[offset..]);
        self.guesses.extend(guess.map(|indirect| (number, indirect)));
        let block = self.add(Arc::clone(made), shift, at, lead);
        let (source, lowering) = (made.source(shift), made.lowering());
        let here = key(source.start, lowering);
        for page in pages::pages(&source) {
            self.pages.entry(page).or_default().push(Source { start: source.start, end: source.end, key: here });
        }
        match self.entries.get_mut(&here) {
            Some(entry) => {
                entry.live = true;
                entry.block = block;
                out.patch(entry.anchor, &jump(entry.anchor, at));
            }
            None => {
                self.entries.insert(here, Entry { anchor: at, block, live: true });
            }
        }
        let mut waiting = self.waiting.remove(&here);
        while let Some(&(site, before)) = waiting.and_then(|site| self.sites.get(site as usize)) {
            self.link(site, here, out);
            waiting = before;
        }
        for exit in made.exits(shift) {
            if let Exit::Direct { target, site } = exit {
                self.link(start + u64::from(site), key(target, lowering), out);
            }
        }
        true
    }

    fn fix(&self, made: &Made, shift: u64, at: u64, code: &mut [u8]) {
        if shift != 0 {
            for &offset in &made.addresses {
                if let Some(field) = code.get_mut(offset as usize..).and_then(|rest| rest.first_chunk_mut::<8>()) {
                    *field = u64::from_le_bytes(*field).wrapping_add(shift).to_le_bytes();
                }
            }
        }
        let mut put = |offset: u32, value: u32| {
            let offset = offset as usize;
            code[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
        };
        let relative = |offset: u32, target: u64| (REGION + target).wrapping_sub(at + u64::from(offset) + 4) as u32;
        for &fixup in &made.fixups {
            match fixup {
                Fixup::ExitNumber { offset, exit } => put(offset, self.next_exit + exit),
                Fixup::Dispatcher(offset) => put(offset, relative(offset, layout::DISPATCHER)),
                Fixup::CommonExit(offset) => put(offset, relative(offset, layout::COMMON_EXIT)),
                Fixup::Counter { offset, counter } => {
                    let number = u64::from(self.next_counter + counter);
                    put(offset, (REGION + layout::COUNTERS + 8 * number) as u32);
                }
            }
        }
    }

    /// Adds a block at the end of the code; returns its number.
    fn add(&mut self, made: Arc<Made>, shift: u64, at: u64, lead: u64) -> u32 {
        let number = self.blocks.len() as u32;
        self.free = at + lead + made.code.len() as u64;
        let first_exit = self.next_exit;
        self.next_exit += made.exit_count();
        self.next_counter += made.counters();
        self.blocks.push(Block { made, shift, at, lead, first_exit });
        number
    }

    /// Returns whether another block can have a mark.
    pub fn can_mark(&self) -> bool {
        (self.blocks.len() as u64) < layout::MARK_COUNT
    }

    /// Returns the marks there are, as a range of numbers; empty if nobody waits for one to be set.
    pub fn marks(&self) -> Range<u64> {
        match (self.guesses.first(), self.guesses.last()) {
            (Some(&(first, _)), Some(&(last, _))) => u64::from(first)..u64::from(last) + 1,
            _ => 0..0,
        }
    }

    /// Takes the source addresses of blocks that were run, and whether they are for indirect branches. `marks` is what
    /// the region has for [`Index::marks`]. Each is told once.
    pub fn take_run(&mut self, marks: &[u8]) -> Vec<(u64, bool)> {
        let first = self.marks().start;
        let (mut run, entries, blocks) = (Vec::new(), &self.entries, &self.blocks);
        self.guesses.retain(|&(number, indirect)| {
            let is_run = marks.get((u64::from(number) - first) as usize).is_some_and(|&mark| mark != 0);
            if is_run && let Some(block) = blocks.get(number as usize) {
                // What became of an invalidated one is not worth knowing.
                if entries.get(&block.key()).is_some_and(|entry| entry.live && entry.block == number) {
                    run.push((block.made.source(block.shift).start, indirect));
                }
            }
            !is_run
        });
        run
    }

    /// Lets the jump at `site` lead to the translation of `target`, now or when there is one.
    fn link(&mut self, site: u64, target: Key, out: &mut Changes) {
        if let Some(entry) = self.entries.get(&target) {
            out.patch(site, &(entry.anchor.wrapping_sub(site + 4) as u32).to_le_bytes());
            return;
        }
        let number = self.sites.len() as u32;
        let before = self.waiting.insert(target, number);
        self.sites.push((site, before));
    }

    /// Puts `address` into the table of indirect branch targets.
    pub fn tabulate(&self, address: u64, out: &mut Changes) {
        let Some(entry) = self.entries.get(&address) else { return };
        for (offset, [key, value]) in stubs::table_entries(address, entry.anchor) {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&key.to_le_bytes());
            bytes[8..].copy_from_slice(&value.to_le_bytes());
            out.table.push((REGION + offset, bytes));
        }
    }

    /// Makes every translation of code in `range` lead out of the cache; says how many there were. Translations of
    /// which only a native instruction has changed are kept if `is_native` says of its address that it still is one.
    ///
    /// `None` if the region is full, so that the index must be thrown away instead.
    pub fn invalidate(
        &mut self,
        range: Range<u64>,
        is_native: impl Fn(u64) -> bool,
        out: &mut Changes,
    ) -> Option<usize> {
        let mut dead = Vec::new();
        let pages = pages::pages(&range);
        let touched: Vec<u64> = if pages.end - pages.start > self.pages.len() as u64 {
            self.pages.keys().copied().filter(|page| pages.contains(page)).collect()
        } else {
            pages.filter(|page| self.pages.contains_key(page)).collect()
        };
        let (entries, blocks) = (&self.entries, &self.blocks);
        let stays = |source: &Source| ends_around(entries, blocks, source.key, &range).is_some_and(&is_native);
        for page in touched {
            let Some(sources) = self.pages.get_mut(&page) else { continue };
            sources.retain(|source| {
                let hit = source.touches(&range) && !stays(source);
                if hit {
                    dead.push(source.key);
                }
                !hit
            });
            if sources.is_empty() {
                self.pages.remove(&page);
            }
        }
        dead.sort_unstable();
        dead.dedup();
        dead.retain(|source| self.entries.get(source).is_some_and(|entry| entry.live));
        for &source in &dead {
            self.kill(source, out)?;
        }
        Some(dead.len())
    }

    /// Makes the translation that was left by the exit of this number lead out of the cache, unless there is another
    /// for its address by now. `None` if the region is full, so that the index must be thrown away instead.
    pub fn outdate(&mut self, number: u32, out: &mut Changes) -> Option<()> {
        let Some((place, block)) = self.left_by(number).and_then(|place| Some((place, self.blocks.get(place)?))) else {
            return Some(());
        };
        let (source, key) = (block.made.source(block.shift), block.key());
        if self.entries.get(&key).is_none_or(|entry| !entry.live || entry.block as usize != place) {
            return Some(());
        }
        for page in pages::pages(&source) {
            if let Some(sources) = self.pages.get_mut(&page) {
                sources.retain(|source| source.key != key);
                if sources.is_empty() {
                    self.pages.remove(&page);
                }
            }
        }
        self.kill(key, out)
    }

    /// Returns whether all translations of code in `range` stay valid if the one native instruction there becomes
    /// another.
    pub fn ends_at(&self, range: &Range<u64>) -> bool {
        let sources = pages::pages(range).filter_map(|page| self.pages.get(&page)).flatten();
        let mut hit = sources.filter(|source| source.touches(range));
        hit.all(|source| ends_around(&self.entries, &self.blocks, source.key, range) == Some(range.start))
    }

    fn kill(&mut self, dead: Key, out: &mut Changes) -> Option<()> {
        let killed = self.blocks.get(self.entries.get(&dead)?.block as usize)?;
        let (source, lowering) = (killed.made.source(killed.shift).start, killed.made.lowering());
        let at = self.free;
        // mov dword [EXIT], number; jmp common exit
        let mut code = vec![0xc7, 0x04, 0x25];
        code.extend(((REGION + layout::slot::EXIT) as u32).to_le_bytes());
        code.extend(self.next_exit.to_le_bytes());
        code.extend(jump(at + code.len() as u64, REGION + layout::COMMON_EXIT));
        if at + code.len() as u64 > self.end {
            return None;
        }
        out.code.extend_from_slice(&code);
        let block = self.add(Arc::new(Made::stub(source, &code, lowering)), 0, at, 0);
        let entry = self.entries.get_mut(&dead)?;
        entry.live = false;
        entry.block = block;
        out.patch(entry.anchor, &jump(entry.anchor, at));
        Some(())
    }
}

/// Returns the address of the native instruction at the end of the translation for `key`, if `range` is in it.
fn ends_around(entries: &Numbers<Entry>, blocks: &[Block], key: Key, range: &Range<u64>) -> Option<u64> {
    let native = blocks.get(entries.get(&key)?.block as usize)?.native()?;
    (native.start <= range.start && range.end <= native.end).then_some(native.start)
}

/// Encodes `jmp rel32`.
fn jump(at: u64, target: u64) -> [u8; JUMP] {
    let [a, b, c, d] = (target.wrapping_sub(at + JUMP as u64) as u32).to_le_bytes();
    [0xe9, a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::super::block::{Point, Translation};
    use super::super::piece::Run;
    use super::*;

    /// Makes a block of 32 bytes of code at `source` that goes on at `target`, or ends with a native instruction.
    fn made(source: u64, target: Option<u64>) -> Arc<Made> {
        made_for(USUAL, source, target)
    }

    /// Makes one that lowers the count like this.
    fn made_for(lowering: Lowering, source: u64, target: Option<u64>) -> Arc<Made> {
        let exit = match target {
            Some(target) => Exit::Direct { target, site: 4 },
            None => Exit::Native { address: source + 3 },
        };
        let translation = Translation {
            source,
            source_length: 5,
            code: vec![0x90; 32],
            fixups: vec![Fixup::ExitNumber { offset: 8, exit: 0 }, Fixup::CommonExit(16)],
            points: vec![
                Point { offset: 0, address: source, spill: None, owed: 0, told: 0, run: Run::default() },
                Point { offset: 3, address: source + 3, spill: None, owed: 0, told: 0, run: Run::default() },
            ],
            exits: vec![exit],
            addresses: vec![24],
            lowering,
            ..Translation::default()
        };
        Arc::new(Made::new(translation, &[1, 2, 3, 4, 5]))
    }

    const USUAL: Lowering = Lowering::AtExits;

    /// The region as the tracee would have it.
    #[derive(Default)]
    struct Memory(Numbers<u8>);

    impl Memory {
        fn apply(&mut self, changes: &Changes) {
            for (at, bytes) in changes.pieces() {
                self.0.extend(bytes.iter().enumerate().map(|(i, &byte)| (at + i as u64, byte)));
            }
        }

        fn field(&self, at: u64) -> u32 {
            u32::from_le_bytes([0, 1, 2, 3].map(|i| self.0[&(at + i)]))
        }

        /// Returns where the rel32 at this address leads.
        fn target(&self, at: u64) -> u64 {
            at.wrapping_add(4).wrapping_add_signed(i64::from(self.field(at) as i32))
        }
    }

    fn place(index: &mut Index, memory: &mut Memory, made: &Arc<Made>, shift: u64) -> u64 {
        let mut changes = index.changes();
        assert!(index.place(made, shift, None, &mut changes));
        memory.apply(&changes);
        index.entry(made.source(shift).start, USUAL).unwrap()
    }

    fn guess(index: &mut Index, memory: &mut Memory, made: &Arc<Made>, indirect: bool) -> u64 {
        let mut changes = index.changes();
        assert!(index.place(made, 0, Some(indirect), &mut changes));
        memory.apply(&changes);
        index.entry(made.source(0).start, USUAL).unwrap()
    }

    #[test]
    fn what_was_left_as_outdated_leads_out_until_it_is_made_again() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        let (old, other) = (made(0x1000, Some(0x2000)), made(0x1002, Some(0x2000)));
        let anchor = place(&mut index, &mut memory, &old, 0);
        place(&mut index, &mut memory, &other, 0);
        let outdate = |index: &mut Index, memory: &mut Memory, exit: u32| {
            let mut changes = index.changes();
            index.outdate(exit, &mut changes).unwrap();
            memory.apply(&changes);
        };
        outdate(&mut index, &mut memory, 1);
        assert_eq!(index.entry(0x1000, USUAL), None);
        assert!(index.entry(0x1002, USUAL).is_some(), "the other one looks at its code itself");
        let stub = memory.target(anchor + 1);
        assert_eq!(index.exit(memory.field(stub + 7)), Some(Exit::Direct { target: 0x1000, site: 0 }));
        // A thread that left the old one once more does not end the new one.
        place(&mut index, &mut memory, &old, 0);
        outdate(&mut index, &mut memory, 1);
        assert!(index.entry(0x1000, USUAL).is_some());
        assert!(index.touches(&(0x1000..0x1001)));
    }

    fn invalidate(index: &mut Index, memory: &mut Memory, range: Range<u64>, is_native: bool) -> usize {
        let mut changes = index.changes();
        let dead = index.invalidate(range, |_| is_native, &mut changes).unwrap();
        memory.apply(&changes);
        dead
    }

    const HERE: u64 = 0x7f00_0000_1000;
    const THERE: u64 = 0x7f00_0000_2000;

    #[test]
    fn links_are_made_whichever_block_comes_first() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        let first = place(&mut index, &mut memory, &made(HERE, Some(THERE)), 0);
        let second = place(&mut index, &mut memory, &made(THERE, Some(HERE)), 0);
        assert_eq!(memory.target(first + 4), second);
        assert_eq!(memory.target(second + 4), first);
        assert_eq!(memory.target(first + 16), REGION + layout::COMMON_EXIT);
        assert_eq!(index.exit(memory.field(second + 8)), Some(Exit::Direct { target: HERE, site: 4 }));
        assert_eq!(index.exit(memory.field(second + 8) + 1), None);
    }

    #[test]
    fn what_is_for_the_last_branches_is_apart() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        let of_last = |source: u64, target: u64| made_for(Lowering::Last, source, Some(target));
        let mut put = |index: &mut Index, made: Arc<Made>| {
            let mut changes = index.changes();
            assert!(index.place(&made, 0, None, &mut changes));
            memory.apply(&changes);
        };
        put(&mut index, made(HERE, Some(THERE)));
        put(&mut index, of_last(THERE, HERE));
        assert_eq!((index.entry(HERE, Lowering::Last), index.entry(THERE, USUAL)), (None, None));
        put(&mut index, of_last(HERE, THERE));
        put(&mut index, made(THERE, Some(HERE)));
        let at = |address: u64, lowering: Lowering| index.entry(address, lowering).unwrap();
        let all = [USUAL, Lowering::Last].map(|lowering| [at(HERE, lowering), at(THERE, lowering)]);
        for [here, there] in all {
            assert_eq!((memory.target(here + 4), memory.target(there + 4)), (there, here));
        }
        assert_ne!(all[0], all[1]);
        assert_eq!(index.block_at(all[1][0]).map(|block| block.point(all[1][0]).0.address), Some(HERE));
        // What changes concerns both.
        assert_eq!(invalidate(&mut index, &mut memory, HERE..HERE + 1, false), 2);
        assert_eq!((index.entry(HERE, Lowering::Last), index.entry(HERE, USUAL)), (None, None));
        assert!(index.entry(THERE, Lowering::Last).is_some() && index.entry(THERE, USUAL).is_some());
    }

    #[test]
    fn a_dead_block_leads_out_and_then_to_its_successor() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        let first = place(&mut index, &mut memory, &made(HERE, Some(THERE)), 0);
        let second = place(&mut index, &mut memory, &made(THERE, Some(HERE)), 0);
        assert_eq!(invalidate(&mut index, &mut memory, THERE + 4..THERE + 5, false), 1);
        assert_eq!(index.entry(THERE, USUAL), None);
        assert_eq!(index.entry(HERE, USUAL), Some(first));
        let stub = memory.target(second + 1);
        let number = memory.field(stub + 7);
        assert_eq!(index.exit(number), Some(Exit::Direct { target: THERE, site: 0 }));
        assert_eq!(memory.target(stub + 12), REGION + layout::COMMON_EXIT);
        assert_eq!(index.block_at(stub).map(|block| block.point(stub).0.address), Some(THERE));
        // All links stay where they are.
        assert_eq!(place(&mut index, &mut memory, &made(THERE, None), 0), second);
        assert_eq!(memory.target(first + 4), second);
        assert!(memory.target(second + 1) > stub);
        assert_eq!(invalidate(&mut index, &mut memory, THERE..THERE + 1, false), 1);
        assert_eq!(index.entry(THERE, USUAL), None);
    }

    #[test]
    fn a_change_of_a_native_instruction_alone_keeps_the_block() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        place(&mut index, &mut memory, &made(HERE, None), 0);
        assert_eq!(invalidate(&mut index, &mut memory, HERE + 3..HERE + 4, true), 0);
        assert!(index.touches(&(HERE..HERE + 1)));
        assert_eq!(invalidate(&mut index, &mut memory, HERE + 2..HERE + 4, true), 1);
        place(&mut index, &mut memory, &made(HERE, None), 0);
        assert_eq!(invalidate(&mut index, &mut memory, HERE + 3..HERE + 4, false), 1);
        assert!(!index.touches(&(HERE..HERE + 1)));
    }

    #[test]
    fn a_block_serves_elsewhere() {
        const SHIFT: u64 = 0x1000_0000;
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        let made = made(HERE, Some(THERE));
        assert_eq!(made.shift_for(&[1, 2, 3, 4, 5, 6], HERE + SHIFT), Some(SHIFT));
        assert_eq!(made.shift_for(&[1, 2, 3, 4, 6], HERE + SHIFT), None);
        assert_eq!(made.shift_for(&[1, 2, 3, 4], HERE), None);
        assert_eq!(made.shift_for(&[1, 2, 3, 4, 5], 0x40_1000), None);
        let at = place(&mut index, &mut memory, &made, SHIFT);
        let field = u64::from(memory.field(at + 24)) | u64::from(memory.field(at + 28)) << 32;
        assert_eq!(field, 0x9090_9090_9090_9090 + SHIFT);
        let exit = Exit::Direct { target: THERE + SHIFT, site: 4 };
        assert_eq!(index.exit(memory.field(at + 8)), Some(exit));
        assert_eq!(index.block_at(at + 5).map(|block| block.point(at + 5).0.address), Some(HERE + SHIFT + 3));
    }

    #[test]
    fn a_guess_is_told_once_it_was_run() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        place(&mut index, &mut memory, &made(HERE, Some(THERE)), 0);
        assert!(index.marks().is_empty());
        let at = guess(&mut index, &mut memory, &made(THERE, Some(HERE)), true);
        guess(&mut index, &mut memory, &made(THERE + 64, None), false);
        guess(&mut index, &mut memory, &made(THERE + 128, None), false);
        assert_eq!(index.marks(), 1..4);
        // mov byte [mark of block 1], 1
        assert_eq!([0, 1, 2, 7].map(|i| memory.0[&(at + i)]), [0xc6, 0x04, 0x25, 1]);
        assert_eq!(u64::from(memory.field(at + 3)), REGION + layout::MARKS + 1);
        assert_eq!(index.take_run(&[0, 0, 1]), [(THERE + 128, false)]);
        assert_eq!(index.marks(), 1..3);
        invalidate(&mut index, &mut memory, THERE + 64..THERE + 65, false);
        assert_eq!(index.take_run(&[1, 1]), [(THERE, true)]);
        assert!(index.marks().is_empty());
    }

    #[test]
    fn a_thread_before_a_translation_is_at_its_first_instruction() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        let at = guess(&mut index, &mut memory, &made(HERE, Some(THERE)), false);
        let point = |at: u64| {
            let (point, is_there) = index.block_at(at).unwrap().point(at);
            (point.address, is_there)
        };
        assert_eq!(point(at), (HERE, true));
        assert_eq!(point(at + 8), (HERE, true));
        assert_eq!(point(at + 9), (HERE, false));
        assert_eq!(point(at + 11), (HERE + 3, true));
        assert!(index.block_at(at + 39).is_some() && index.block_at(at + 40).is_none());
        // Jumps of the translation itself are linked where they are.
        let target = place(&mut index, &mut memory, &made(THERE, None), 0);
        assert_eq!(memory.target(at + 8 + 4), target);
    }

    #[test]
    fn a_breakpoint_over_a_native_instruction_changes_nothing() {
        let (mut index, mut memory) = (Index::new(layout::SIZE), Memory::default());
        place(&mut index, &mut memory, &made(HERE, None), 0);
        assert!(index.ends_at(&(HERE + 3..HERE + 4)));
        assert!(!index.ends_at(&(HERE + 4..HERE + 5)));
        assert!(!index.ends_at(&(HERE + 2..HERE + 3)));
        assert!(index.ends_at(&(HERE + 5..HERE + 6)));
        place(&mut index, &mut memory, &made(HERE + 1, Some(THERE)), 0);
        assert!(!index.ends_at(&(HERE + 3..HERE + 4)));
    }

    #[test]
    fn a_full_region_takes_no_more() {
        let mut index = Index::new(layout::CODE + 72);
        let mut changes = index.changes();
        assert!(index.place(&made(HERE, None), 0, None, &mut changes));
        assert!(!index.is_crowded());
        assert!(index.place(&made(THERE, None), 0, None, &mut changes));
        assert!(index.is_crowded());
        assert!(!index.place(&made(THERE + 64, None), 0, None, &mut changes));
        assert_eq!(index.invalidate(HERE..HERE + 1, |_| false, &mut changes), None);
    }
}

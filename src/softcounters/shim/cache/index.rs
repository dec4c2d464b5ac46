//! The translations of one address space: what stands where in its region.
//!
//! *Anchors.* All links and table entries for a program address lead to its first translation, the anchor. To invalidate
//! is to overwrite the anchor's beginning with a jump to a stub that leaves the cache; a later translation turns that
//! jump into one to itself. So nothing has to know who links to a block.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

use super::block::{Exit, Fixup, Point};
use super::code;
use super::layout::{self, REGION};
use super::made::Made;
use super::stubs;

/// Numbers are spread by one multiplication; nobody chooses them to collide.
#[derive(Default)]
pub struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

/// A map from numbers.
pub type Numbers<T> = HashMap<u64, T, BuildHasherDefault<NumberHasher>>;

/// Where a jump is written over an anchor, and how long it is.
const JUMP: usize = 5;

/// A placed translation, or a stub that stands for an invalidated one.
#[derive(Clone, Debug)]
pub struct Block {
    made: Arc<Made>,
    shift: u64,
    /// Address in the region.
    pub at: u64,
    first_exit: u32,
}

impl Block {
    /// The last point at or before this address in the block.
    pub fn point(&self, at: u64) -> Point {
        self.made.point((at - self.at) as u32, self.shift)
    }

    /// Where the code ends.
    fn end(&self) -> u64 {
        self.at + self.made.code.len() as u64
    }

    /// The program code of the native instruction at the block's end.
    fn native(&self) -> Option<Range<u64>> {
        let native = self.made.exits(self.shift).find_map(|exit| match exit {
            Exit::Native { address } => Some(address),
            _ => None,
        })?;
        Some(native..self.made.source(self.shift).end)
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where everybody goes for this address.
    anchor: u64,
    /// Number of the block that leads to, which is a stub if there is no translation.
    block: u32,
    live: bool,
}

/// What must be written to the region to bring it in line with the index.
#[derive(Debug, Default)]
pub struct Changes {
    /// New code, one piece from this address on.
    pub code_at: u64,
    pub code: Vec<u8>,
    /// Changes to code that is there.
    pub patches: Vec<(u64, [u8; JUMP], usize)>,
    /// Table entries: address in the region, key and value.
    pub table: Vec<(u64, [u8; 16])>,
}

impl Changes {
    /// All pieces, in an order that is right even if a patch falls into new code.
    pub fn pieces(&self) -> Vec<(u64, &[u8])> {
        let mut pieces: Vec<(u64, &[u8])> = Vec::with_capacity(1 + self.patches.len() + self.table.len());
        if !self.code.is_empty() {
            pieces.push((self.code_at, &self.code));
        }
        pieces.extend(self.patches.iter().map(|(at, bytes, length)| (*at, &bytes[..*length])));
        pieces.extend(self.table.iter().map(|(at, entry)| (*at, entry.as_slice())));
        pieces
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) {
        if let Some(offset) = at.checked_sub(self.code_at).map(|offset| offset as usize)
            && let Some(place) = self.code.get_mut(offset..offset + bytes.len())
        {
            place.copy_from_slice(bytes);
            return;
        }
        let mut patch = [0; JUMP];
        patch[..bytes.len()].copy_from_slice(bytes);
        self.patches.push((at, patch, bytes.len()));
    }
}

/// All translations of an address space.
#[derive(Clone, Debug)]
pub struct Index {
    /// By place, which is the order they were made in.
    blocks: Vec<Block>,
    entries: Numbers<Entry>,
    /// Source addresses of live blocks, by the pages they touch.
    pages: Numbers<Vec<(u64, u64)>>,
    /// By address, the last of the sites that wait for its translation; each with the one before it.
    waiting: Numbers<u32>,
    sites: Vec<(u64, Option<u32>)>,
    /// Next free address of the region.
    free: u64,
    end: u64,
    next_exit: u32,
}

impl Index {
    /// Nothing translated; code may take up to `size` bytes of the region.
    pub fn new(size: u64) -> Index {
        Index {
            blocks: Vec::new(),
            entries: Numbers::default(),
            pages: Numbers::default(),
            waiting: Numbers::default(),
            sites: Vec::new(),
            free: REGION + layout::CODE,
            end: REGION + size.clamp(layout::CODE, layout::SIZE),
            next_exit: 1,
        }
    }

    /// Where the translation of `address` is entered.
    pub fn entry(&self, address: u64) -> Option<u64> {
        self.entries.get(&address).filter(|entry| entry.live).map(|entry| entry.anchor)
    }

    /// The block around an address of the region.
    pub fn block_at(&self, at: u64) -> Option<&Block> {
        let after = self.blocks.partition_point(|block| block.at <= at);
        self.blocks.get(after.checked_sub(1)?).filter(|block| at < block.end())
    }

    /// The exit of this number.
    pub fn exit(&self, number: u32) -> Option<Exit> {
        let after = self.blocks.partition_point(|block| block.first_exit <= number);
        let block = self.blocks.get(after.checked_sub(1)?)?;
        block.made.exit(number - block.first_exit, block.shift)
    }

    /// Bytes of the region that may be used.
    pub fn size(&self) -> u64 {
        self.end - REGION
    }

    /// Whether most of the room for code is taken.
    pub fn is_crowded(&self) -> bool {
        let start = REGION + layout::CODE;
        self.free - start > (self.end - start) / 4 * 3
    }

    /// Whether a page of this range has translated code.
    pub fn touches(&self, range: &Range<u64>) -> bool {
        code::touches(&self.pages, range)
    }

    /// Begins a set of changes.
    pub fn changes(&self) -> Changes {
        Changes { code_at: self.free, ..Changes::default() }
    }

    /// Places a translation, links it with what is there, and notes what to write. False if the region is full.
    pub fn place(&mut self, made: &Arc<Made>, shift: u64, out: &mut Changes) -> bool {
        const ALIGN: u64 = 16;
        let at = self.free.next_multiple_of(ALIGN);
        if at + made.code.len() as u64 > self.end {
            return false;
        }
        out.code.resize((at - out.code_at) as usize, 0xcc);
        self.free = at;
        let start = out.code.len();
        out.code.extend_from_slice(&made.code);
        self.fix(made, shift, at, &mut out.code[start..]);
        let block = self.add(Arc::clone(made), shift, at);
        let source = made.source(shift);
        for page in code::pages(&source) {
            self.pages.entry(page).or_default().push((source.start, source.end));
        }
        match self.entries.get_mut(&source.start) {
            Some(entry) => {
                entry.live = true;
                entry.block = block;
                out.patch(entry.anchor, &jump(entry.anchor, at));
            }
            None => {
                self.entries.insert(source.start, Entry { anchor: at, block, live: true });
            }
        }
        let mut waiting = self.waiting.remove(&source.start);
        while let Some(&(site, before)) = waiting.and_then(|site| self.sites.get(site as usize)) {
            self.link(site, source.start, out);
            waiting = before;
        }
        for exit in made.exits(shift) {
            if let Exit::Direct { target, site } = exit {
                self.link(at + u64::from(site), target, out);
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
            }
        }
    }

    /// Adds a block at the end of the code; returns its number.
    fn add(&mut self, made: Arc<Made>, shift: u64, at: u64) -> u32 {
        let number = self.blocks.len() as u32;
        self.free = at + made.code.len() as u64;
        let first_exit = self.next_exit;
        self.next_exit += made.exit_count();
        self.blocks.push(Block { made, shift, at, first_exit });
        number
    }

    /// Lets the jump at `site` lead to the translation of `target`, now or when there is one.
    fn link(&mut self, site: u64, target: u64, out: &mut Changes) {
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
        let (offset, [key, value]) = stubs::table_entry(address, entry.anchor);
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..].copy_from_slice(&value.to_le_bytes());
        out.table.push((REGION + offset, bytes));
    }

    /// Makes every translation of code in `range` lead out of the cache; says how many there were. Translations of which
    /// only a native instruction has changed are kept if `is_native` says of its address that it still is one.
    ///
    /// `None` if the region is full, so that the index must be thrown away instead.
    pub fn invalidate(
        &mut self,
        range: Range<u64>,
        is_native: impl Fn(u64) -> bool,
        out: &mut Changes,
    ) -> Option<usize> {
        let mut dead = Vec::new();
        let pages = code::pages(&range);
        let touched: Vec<u64> = if pages.end - pages.start > self.pages.len() as u64 {
            self.pages.keys().copied().filter(|page| pages.contains(page)).collect()
        } else {
            pages.filter(|page| self.pages.contains_key(page)).collect()
        };
        let (entries, blocks) = (&self.entries, &self.blocks);
        let stays = |source: u64| {
            let block = entries.get(&source).and_then(|entry| blocks.get(entry.block as usize));
            let native = block.and_then(Block::native);
            native
                .is_some_and(|native| native.start <= range.start && range.end <= native.end && is_native(native.start))
        };
        for page in touched {
            let Some(sources) = self.pages.get_mut(&page) else { continue };
            sources.retain(|&(start, end)| {
                let hit = start < range.end && range.start < end && !stays(start);
                if hit {
                    dead.push(start);
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

    fn kill(&mut self, source: u64, out: &mut Changes) -> Option<()> {
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
        let block = self.add(Arc::new(Made::stub(source, &code)), 0, at);
        let entry = self.entries.get_mut(&source)?;
        entry.live = false;
        entry.block = block;
        out.patch(entry.anchor, &jump(entry.anchor, at));
        Some(())
    }
}

/// `jmp rel32`.
fn jump(at: u64, target: u64) -> [u8; JUMP] {
    let [a, b, c, d] = (target.wrapping_sub(at + JUMP as u64) as u32).to_le_bytes();
    [0xe9, a, b, c, d]
}

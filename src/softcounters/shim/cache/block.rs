//! What translation hands to the rest: one block of translated code, and how each of its places maps back to the
//! program.

use super::piece::{Piece, Run};

/// How a translation lowers the remaining count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lowering {
    /// Where the block is left, once, by all branches it has passed ([`exits`](super::exits)).
    #[default]
    AtExits,
    /// Before each branch.
    ByBranch,
    /// Before each branch, and all that follows does so, too: the last ones before an overflow.
    Last,
}

/// A register whose program value lies in its slot of the region instead of in the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spill {
    Rcx,
    Rbx,
    Rsi,
    Rdi,
    /// Two of them.
    RaxAndRcx,
    /// The same two, while a probe looks at what is perhaps not there: a fault is not the program's.
    Probe,
}

/// A place in a block where the state of the thread is the program's, but for what the fields say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Offset from the start of the block.
    pub offset: u32,
    /// Address of the program's instruction that is executed next.
    pub address: u64,
    /// The register that is in its slot at the instructions *after* this point and before the next one, if any. A
    /// synchronous fault there is undone by taking it back; at the point itself the register is right.
    pub spill: Option<Spill>,
    /// Branches the remaining count was already lowered for that are not executed at this point; negative for those that
    /// are executed and that it was not lowered for.
    pub owed: i32,
    /// How many entries of probes at this address were written for the instruction, which is not executed yet.
    pub told: u8,
    /// What of a piece is executed.
    pub run: Run,
}

/// A place after a [`Point`] and before the next from which on it cannot be gone back to just like that: only a thread
/// that is killed ends there. The register that the point spills is in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Offset from the start of the block.
    pub offset: u32,
    /// Address of the program's instruction that is executed next.
    pub address: u64,
    /// As of a point.
    pub owed: i32,
    /// What rsp is too high by.
    pub popped: i32,
    pub run: Run,
}

/// Why the block is left for the tracer. Each exit has a number: its index in [`Translation::exits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The program continues at `target`. `site` is the offset of a rel32 field that leads to this exit's stub and is
    /// to be pointed at the translation of `target` (a link). The remaining count may be used up.
    Direct { target: u64, site: u32 },
    /// The instruction at `address`, the block's last, must be executed by the program itself.
    Native { address: u64 },
    /// The instruction at `address` must be executed by the program itself this time.
    Step { address: u64 },
    /// The repeated instruction at `address` may write to what is watched. In [`slot::CACHED`] is where it is alone.
    ///
    /// [`slot::CACHED`]: super::layout::slot::CACHED
    Repeat { address: u64 },
    /// It has been executed there, and the program continues at `address`.
    Repeated { address: u64 },
    /// A probe cannot write its entry before the instruction at `address`, for which `told` others have: there is no
    /// room, or it is to look at what may be the region.
    Full { address: u64, told: u8 },
    /// The remaining count is used up before the branch at `address` is executed, for which it was lowered.
    Overflow { address: u64 },
    /// The remaining count is used up, perhaps by more than there was, and the program stands at `address`.
    Spent { address: u64 },
    /// The code from `address` on is not what was translated any more; nothing of it was executed.
    Stale { address: u64 },
    /// The dispatcher does not know the address in [`slot::TARGET`], where the indirect branch at `address` goes. It
    /// has been carried out, all registers are the program's; if that address is none a program can be at (2^47 or
    /// above), it must be undone as `kind` says and executed by the program itself, since the fault belongs to the
    /// branch.
    ///
    /// [`slot::TARGET`]: super::layout::slot::TARGET
    Indirect { address: u64, kind: Indirect },
}

/// How to undo an indirect branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indirect {
    /// Nothing but rip has changed.
    Jump,
    /// 8 is to be added to rsp, and the word below it is to be taken from [`slot::BELOW_STACK`].
    ///
    /// [`slot::BELOW_STACK`]: super::layout::slot::BELOW_STACK
    Call,
    /// `popped` is to be subtracted from rsp.
    Return { popped: u32 },
}

/// A field of the code that depends on where the block is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixup {
    /// rel32 at this offset, to the common exit of the region.
    CommonExit(u32),
    /// rel32 at this offset, to the dispatcher of the region.
    Dispatcher(u32),
    /// imm32 at this offset (below 2^31): the number by which the runtime knows exit `exit` of this block.
    ExitNumber { offset: u32, exit: u32 },
    /// disp32 at this offset: the place of a counter of this block.
    Counter { offset: u32, counter: u32 },
}

/// A translated block, not yet placed.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// Address of the first program instruction.
    pub source: u64,
    /// Length in bytes of the program code this stands for, a native instruction at its end included: a change of any
    /// of these bytes makes the translation invalid.
    pub source_length: u32,
    /// The code; at least 8 bytes, so that a jump fits over its beginning.
    pub code: Vec<u8>,
    pub fixups: Vec<Fixup>,
    /// In the order of their offsets; the first is at offset 0.
    pub points: Vec<Point>,
    /// In the order of their offsets.
    pub turns: Vec<Turn>,
    pub exits: Vec<Exit>,
    /// What of a piece is executed at each of them.
    pub runs: Vec<Run>,
    /// What is owed at each of them, as of a point.
    pub owed: Vec<i32>,
    /// How the count is lowered.
    pub lowering: Lowering,
    /// What is counted, by the numbers of the counters.
    pub pieces: Vec<Piece>,
    /// Return addresses pushed by calls of the block: worth translating soon.
    pub returns: Vec<u64>,
    /// Offsets of 8-byte fields of the code that are program addresses: if the same code is elsewhere, they differ by
    /// as much as its address does.
    pub addresses: Vec<u32>,
    /// There are fields that depend on the program addresses in another way.
    pub is_bound: bool,
}

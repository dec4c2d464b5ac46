//! Probe passes: questions about a whole execution at the price of one replay.
//!
//! A stop for each answer makes a debugger slow: to tell the arguments of a million calls it stops a million times. But
//! a replay runs translations of the program's code, made by us, and what runs there can be looked at there. A *probe
//! pass* is `rr replay -a` of a recording under soft counters, without a debugger, for which rr's environment names two
//! files:
//!
//! ```text
//! list()     the text of RETROGRADE_SOFT_PROBES: what is to be told, and where
//! Hits       reads RETROGRADE_SOFT_HITS: what was found
//! ```
//!
//! # What is promised
//!
//! - *One hit for each time an instruction is executed*, by any thread of any process, in the order of the execution;
//!   rr runs one thread at a time. An instruction that faults has been executed. One that is executed again after its
//!   fault was handled is executed twice. A repeated string instruction is executed once, unless a handler runs inside
//!   it.
//! - *What is told is the state before the instruction*: registers, and memory by addresses made of them. What cannot
//!   be read is not there, instead of being guessed: of memory as many bytes are told as can be read from its
//!   beginning.
//! - *Its position*: the thread, and the conditional branches it has executed, which are rr's ticks. With the order of
//!   hits this is a place in the execution.
//! - *Nothing else changes*: rr compares ticks and registers at each event as in any other replay, and the pass ends
//!   with the same. Whether the instruction was translated or stepped does not show.
//! - A pass that comes to its limit says so and ends there; a hit is in the file as a whole or not at all.
//!
//! # Watched memory
//!
//! A pass may also be asked about ranges of memory: each write to one of them is told, with the bytes before and after.
//!
//! - *One for each executed write*, in the order of the execution among all else that is told, even if it changes
//!   nothing: by stores of any width, pushes, calls, string instructions, read-modify-write instructions (a compare and
//!   exchange that fails writes what was there). A repeated string instruction is one write of all it writes; if a
//!   handler runs inside it, what it had changed until then is one and the rest another. An instruction that faults
//!   writes nothing.
//! - *What is told is clipped to the range*: the address, the length, and the bytes, of which there are at most 4096
//!   from the beginning on. A write to several ranges is told once for each. Values that are asked for are those before
//!   the instruction; the address of the instruction is told, too.
//! - *Of what writes some elements of a vector* (masked vector stores, `maskmovdqu`, compressing and scattering ones)
//!   the bytes are told that the mask chooses, from the first to the last that is watched, even if they change nothing;
//!   and nothing if it chooses none.
//! - *Of what else writes only some bytes of what it addresses* (`fxsave`, `xsave`, `enter` of a level, a far call) the
//!   bytes that differ are told, from the first to the last, and nothing if none does; the same of masked stores where
//!   the kernel does not tell the registers that have the masks.
//! - *What rr writes for the kernel of the recording* (results of system calls, frames of signals) has no instruction
//!   and is told as the system's, with the thread that had run last and the branches that it had executed. It may be for
//!   another thread, which had waited; the recording has what was written at which event. rr also writes below stack pointers for its own purposes and puts back what was there, which is not told:
//!   nor is, then, what the kernel wrote twice if it is as it was before. Calls that rr has buffered are not of that
//!   kind: a library of rr's in the program copies their results, by instructions of its own.
//! - *Reads* are told as writes are, where a watch asks for them: loads of any width, operands of instructions that
//!   compute with memory, what is popped, returned to, jumped through or called through, and string instructions, which
//!   are one read of all that they have looked at. What an instruction reads and writes at the same place is one entry
//!   for a watch of both, which says so. A masked vector load is a read of its whole operand. Marked is what other
//!   processors see done at once. Not told are reads by system calls, which leave no trace (but those that rr has
//!   buffered: its library copies what they are given), the fetching of instructions, gathering vector loads, `enter` of
//!   several levels, `xrstor`, which reads as much as a mask and the saved state say, and what `xsave` looks at in its
//!   header.
//! - *Not told are* changes by new mappings (`mmap`, `brk`, `madvise`), writes by another process to memory that is
//!   shared, and instructions of XOP and AMX. Breakpoints of rr's in watched code are told as its writes.
//!
//! Of a watch that wants only the *last* writes, others are skipped: when anything else is told, and at the end, the last
//! ones since then are told, of each address space, the last one before these that changed something, and how many were
//! skipped before each of them. So the order is kept, and what is told is as much as without any that are skipped. A pass
//! that is to be told *until* threads have executed so many branches ends when one of them has; of what a thread does
//! from so many branches on that it is not *sure* whether it is wanted, nothing is skipped. Hits of probes may be wanted
//! *since* a thread has executed so many branches, of that thread alone: others are as if they were not.
//!
//! A translation looks up where it writes in a table of the region, by bits of the address; what is written in the same
//! 256 bytes as a range is compared with where the first range begins and the last one ends, and told in some 60
//! instructions if it is between. A replay without hits takes up to twice its time (with reads three times), most where
//! short loops write; a hit takes some 100 nanoseconds, or 70 microseconds where it is stepped or of a repeated
//! instruction. Where the last writes to one range alone are wanted, only the end of what was told is read.
//!
//! # Where probes are
//!
//! A module is known again by its build ID, or by a checksum of its headers, in the memory of the replayed program:
//! a replaying rr maps files under other names or copies them. So a probe follows its module wherever it is mapped,
//! in every process. Addresses in modules are those of the file, as debug info and symbols have them. An address of no
//! module (of generated code) is one of all address spaces, or of one by its number: the file of hits has the number.
//!
//! # The list
//!
//! Lines of words, each separated by one space; numbers are decimal but for addresses:
//!
//! ```text
//! retrograde-probes 1            the version
//! limit BYTES                    of hits and counts; none if it is missing
//! counts                         what is executed is counted
//! module build-id HEX            modules are numbered from 0
//! module headers HEX             FNV-1a (64 bits) of the ELF header and the program headers
//! at module 0 HEX VALUE…         probes are numbered from 0
//! at space all HEX VALUE…
//! at space NUMBER HEX VALUE…
//! at PLACE VALUE… if REQUIREMENT…             what must hold for a hit to be told
//! write module 0 HEX LENGTH VALUE…            watches are numbered from 0, too
//! write space all HEX LENGTH last N VALUE…    only the last writes, 1 to 65536
//! read space all HEX LENGTH VALUE…            the same for reads
//! access space all HEX LENGTH VALUE…          for both
//! until THREAD SURE TICKS        nothing behind so many branches of a thread; from which on nothing is skipped
//! since THREAD TICKS             hits of probes of this thread alone, from so many branches on
//! end                            nothing follows
//! ```
//!
//! A value is a general register (`rdi`), a vector register's low half (`xmm0`), or memory: `16@rdi+8` is 16 bytes at
//! rdi plus 8, and `4@rdi+8+-16` four bytes at the word that is there, minus 16; up to eight steps. At an instruction,
//! `rip` is its address and `fs` the base of that segment, as if they were registers: with them, what is in a module
//! and what its threads have for themselves is told. The list is refused as a whole, and nothing is replayed, if any of
//! it is not understood.
//!
//! A requirement is a number and where it must lie: `s4%rdi=5..9` the low four bytes of rdi, with a sign, `u8@rdi+8!0..0`
//! eight bytes of memory that are another number than 0. They are looked at in the order in which they are given, before
//! anything is told, until one does not hold: then the hit is passed over, and only counted. Where that cannot be seen, as
//! in code that is stepped, or where there is no memory, the hit is told: whoever has asked judges it once more.
//!
//! # The hits
//!
//! Little-endian. Eight bytes `softhit1`, then records: the length of the content and the kind, 32 bits each, and the
//! content.
//!
//! | kind | content |
//! |---|---|
//! | 1 | a hit: probe and thread (32 bits each), ticks (64 bits), the values |
//! | 2 | a thread is there: its number, from 1 in the order of their beginnings, its parent's or 0, its id in the replay |
//! | 3 | a thread is in an address space: both numbers |
//! | 4 | a probe is in an address space: its number, the probe's, the address (64 bits) |
//! | 5 | the limit: how many hits there are (64 bits); nothing follows |
//! | 6 | the end of the replay: the same |
//! | 7 | the end of what is wanted: the same |
//! | 8 | hits of a thread, packed: its number, how many (32 bits each), the branches before them, how many others were passed over before the last (64 bits each), the hits, 8 bytes of zero |
//! | 9 | hits were passed over: how many (64 bits) |
//! | 10 | a module of which code was counted: its number, the checksum of its headers (64 bits), its build ID |
//! | 11 | code was executed: the address space, the module or 2^32 - 1, its beginning, its end, how often (64 bits each) |
//! | 12 | a conditional branch was: the address space, the module or 2^32 - 1, its address, how often (64 bits each) |
//! | 13 | not all counts of an address space are known: its number |
//! | 16 | a write: watch and thread or 0 (32 bits each), ticks, instruction or address space, address, length (64 bits each), 0 if an instruction has written, 2 if that has before in the tick and may be skipped, 1 if rr has, and 4 if rr has and the thread is of another address space (and 2^16 times which time in its tick it is with the same first sixteen values, if that is known, 2^8 if it has read what it wrote, 2^9 if it has only read, 2^10 if it is locked), how many bytes of before and of after there are (32 bits each), these, and the values if it was an instruction |
//! | 17 | writes were skipped: the watch and a thread of the address space (32 bits each), how many (64 bits) |
//!
//! Of a value there are 8 bytes of a register, 16 of a vector register; of memory how many bytes could be read (32
//! bits), and as many bytes as were asked for, of which the others are zero.
//!
//! A hit has 4096 more than the number of its probe if others of the same probe were passed over before it in the same
//! tick of its thread: how many (32 bits) follows the ticks.
//!
//! A packed hit is the number of its probe, the branches since the hit before it, both in seven bits a byte, the
//! lowest first (the eighth says that more follow), if 8192 is added to the number how many were passed over between
//! the two, if 4096 is added how many were of its probe in the same tick, and the values as words of 64 bits: one of a register, two of a vector register, as many as hold it of
//! memory, all of which could be read then. Two words at a time, a byte tells of how many bytes each is, in its lower
//! and its upper half, and these come behind it: the difference to the word of the hit before of the same probe in the
//! same record (or to zero), times two, and all bits inverted if it is negative.
//!
//! # Counts
//!
//! A pass can count all that is executed instead, or as well. Straight-line code is counted where it ends, in the
//! region of its address space, without a flag or a branch that counts; so all of an execution is counted in a little
//! more time than a replay takes. What is told is how often the instructions of some code were executed (an instruction
//! that faulted was, as for probes), and how often each conditional branch was, which is rr's tick: so their sum is the
//! ticks of all threads of the address space, up to the last event.
//!
//! - Several records may be of the same code: they add up ([`Counts`]). They come when an address space ends, or gets
//!   another program, and before its mapped code is changed or unmapped by a system call.
//! - Counts are by address spaces. A process that shares one with its parent, as after `vfork`, is not told apart.
//! - The count of an instruction is that of its first byte. Where a program jumps into the middle of an instruction, as
//!   over its prefix, what begins there counts for both.
//! - Code that is written to by the program itself, as of just-in-time compilers, keeps its count when it is replaced.
//! - What rr's library in the program executes is counted, too; it is a module like others.
//!
//! # Limits
//!
//! Probes at an `int3` of the program, and at an instruction that follows `cpuid` where a virtual machine steps over
//! both at once, find nothing. In code that is stepped, each hit costs as much as the step; so does one that looks at
//! memory in the 4 GiB from 0x5c000000 on, where the cache is (which is told as not there). More than 16 probes at one
//! place are refused.

mod counts;
mod hits;
mod list;
mod packed;
mod requirement;
mod values;
mod write;

pub use counts::{Code, Counts};
pub use hits::{BriefHit, Damage, Glimpse, Hit, Hits, Record, Source};
pub use list::{Asked, MOST_REQUIREMENTS, MOST_VALUES, Module, Place, Probe, Refused, Register, Until, Value, list};
pub use requirement::{Operand, Requirement};
pub use values::{CollectedValue, Values};
pub use write::{Access, Watch, Writer, Written};

/// Names the list of probes, in rr's environment.
pub const LIST: &str = "RETROGRADE_SOFT_PROBES";
/// Names the file for what they find, in rr's environment.
pub const HITS: &str = "RETROGRADE_SOFT_HITS";
/// The file that tells how far a pass is, a few times a second, has this behind the name of that for what is found. It
/// begins with the number of the thread that ran last and the branches that it had executed (64 bits each).
pub const PROGRESS: &str = ".at";

#[cfg(test)]
mod packed_tests;
#[cfg(test)]
mod tests;

//! Probe passes: questions about a whole execution at the price of one replay.
//!
//! A stop for each answer makes a debugger slow: to tell the arguments of a million calls it stops a million times. But a
//! replay runs translations of the program's code, made by us, and what runs there can be looked at there. A *probe pass*
//! is `rr replay -a` of a recording under soft counters, without a debugger, for which rr's environment names two files:
//!
//! ```text
//! list()     the text of RETROGRADE_SOFT_PROBES: what is to be told, and where
//! Hits       reads RETROGRADE_SOFT_HITS: what was found
//! ```
//!
//! # What is promised
//!
//! - *One hit for each time an instruction is executed*, by any thread of any process, in the order of the execution; rr
//!   runs one thread at a time. An instruction that faults has been executed. One that is executed again after its
//!   fault was handled is executed twice. A repeated string instruction is executed once, unless a handler runs inside it.
//! - *What is told is the state before the instruction*: registers, and memory by addresses made of them. What cannot be
//!   read is not there, instead of being guessed: of memory as many bytes are told as can be read from its beginning.
//! - *Its position*: the thread, and the conditional branches it has executed, which are rr's ticks. With the order of
//!   hits this is a place in the execution.
//! - *Nothing else changes*: rr compares ticks and registers at each event as in any other replay, and the pass ends with
//!   the same. Whether the instruction was translated or stepped does not show.
//! - A pass that comes to its limit says so and ends there; a hit is in the file as a whole or not at all.
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
//! limit BYTES                    of hits; none if it is missing
//! module build-id HEX            modules are numbered from 0
//! module headers HEX             FNV-1a (64 bits) of the ELF header and the program headers
//! at module 0 HEX VALUE…         probes are numbered from 0
//! at space all HEX VALUE…
//! at space NUMBER HEX VALUE…
//! end                            nothing follows
//! ```
//!
//! A value is a general register (`rdi`), a vector register's low half (`xmm0`), or memory: `16@rdi+8` is 16 bytes at rdi
//! plus 8, and `4@rdi+8+-16` four bytes at the word that is there, minus 16; up to eight steps. The list is refused as a
//! whole, and nothing is replayed, if any of it is not understood.
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
//!
//! Of a value there are 8 bytes of a register, 16 of a vector register; of memory how many bytes could be read (32 bits),
//! and as many bytes as were asked for, of which the others are zero.
//!
//! # Limits
//!
//! Probes at an `int3` of the program, and at an instruction that follows `cpuid` where a virtual machine steps over both
//! at once, find nothing. In code that is stepped, each hit costs as much as the step; so does one that looks at memory in the 4 GiB
//! from 0x50000000 on, where the cache is (which is told as not there). More than 16 probes at one place are refused.

mod hits;
mod list;

pub use hits::{Damage, Found, Hit, Hits, Record};
pub use list::{Module, Place, Probe, Refused, Register, Value, list};

/// Names the list of probes, in rr's environment.
pub const LIST: &str = "RETROGRADE_SOFT_PROBES";
/// Names the file for what they find, in rr's environment.
pub const HITS: &str = "RETROGRADE_SOFT_HITS";

#[cfg(test)]
mod tests;

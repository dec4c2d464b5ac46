//! The code cache: tracees run translations of their own code, which count branches as they go.
//!
//! # What a tick is, and why record and replay agree
//!
//! One tick is one execution to completion of a conditional branch. A translation counts all that it has passed where
//! it is left ([`exits`]), or each with instructions before the branch; a single step counts it by looking at what was
//! stepped. All count the same instructions of the same stream, so it does not matter which of them executed a stretch,
//! when blocks were made, thrown away or linked, or how often the tracee was stopped on the way: the number is a
//! function of the program and of its recorded inputs. It is exact at every stop rr sees, as each place of a translation
//! says what is not counted yet; and at each such stop the tracee shows the program's registers and nothing of the
//! cache.
//!
//! # Memory layout
//!
//! Each address space has a *region*, an anonymous mapping at a fixed address below 2 GiB ([`layout`]), so that
//! everything in it is reached by 32-bit addresses and takes no register: slots for the remaining count and spilled
//! registers, the dispatcher for indirect branches and its table, the common exit, marks of blocks that were run, the
//! translations, allocated upwards, and at the end what probes write and the counters of [`piece`]s, if there are any.
//! It is mapped by a system call run in the tracee, at its first driven resume ([`region`], [`inject`](crate::inject)).
//! Where the kernel refuses it, or the program maps something over it, the threads of that address space are stepped.
//!
//! # Life of a block
//!
//! - *Which code.* 64-bit code in mappings that are readable and executable ([`maps`]). If they are private and not
//!   writable, only a system call or the tracer can change it. Else the program can (just-in-time compilers do), and a
//!   block looks at its code before it acts for it ([`guard`]). All other code is stepped.
//! - *Made* when the tracee comes to an address without translation, together with what it leads to, breadth first
//!   ([`run`], [`translate`]); written with one vectored call.
//! - *Marked.* A block that is made before anybody came to it begins with a store of its own, which says that it is
//!   run: what is kept for other processes and later runs ([`store`]) are blocks that were.
//! - *Linked.* A direct jump leads to its target's translation as soon as there is one ([`index`]); an indirect one
//!   looks the target up in the table.
//! - *Invalidated* when its code changes: the tracer writes to it, or a program does as a debugger would ([`memory_writes`]),
//!   or a system call unmaps or protects it ([`change`]). Its beginning becomes a jump to a stub that leaves the cache;
//!   a new translation turns it into a jump to itself. The same happens to a block that has found its code changed.
//! - *Made again* for the last branches before an overflow, which are counted one by one; what is made for them is
//!   apart, and leads to nothing else.
//! - *Inherited* by the child of a fork, which has a copy of the region ([`space`]).
//! - *Flushed* with all others when the region is full or the program image is replaced.
//!
//! One thread at a time runs in the cache of an address space, since the slots are shared; rr runs one at a time
//! anyhow.
//!
//! # What happens at each kind of stop
//!
//! The cache is left by a `syscall` instruction in the common exit, not by a trap, which would reset the program's
//! handler if it blocks or ignores `SIGTRAP`. It is entered such that this instruction only stops the tracee
//! ([`How`](crate::resume::How)).
//!
//! | stop in the cache | action |
//! |---|---|
//! | exit at a jump | translate its target, link, go on |
//! | exit at `syscall` | the exit's own stop becomes the program's: registers are made the program's, rr sees it |
//! | `syscall` of rr's page, let pass by rr's filter | none: it is made on the way ([`rr_page`]) |
//! | stop of a filter at `syscall` of rr's page | the return address is put back, rr sees it |
//! | exit at a breakpoint | the program runs into it at its own address |
//! | exit where a probe cannot write its entry | the buffer is emptied, and a single step |
//! | exit at code that was written to | the block is invalidated; go on |
//! | exit at another native instruction, or at one that is native this time | a single step at the program's own address |
//! | exit before the overflow | the branch is evaluated; a stop of the thread's own becomes the overflow signal |
//! | exit when the branches that were lent are used up | if rr asked for more, more are lent, unless its debugger has to be [heard](crate::interrupt) |
//! | fault | taken back to the state before the instruction, which is stepped and faults again where it belongs |
//! | signal or interrupt in rr's page or on the way there | the return address is put back, rr sees it |
//! | other signal, interrupt, watchpoint | carried forward to the next state of the program, then shown to rr |
//! | being killed | taken back, shown to rr |
//!
//! A thread that waits for its next resume inside the exit's stop holds the registers rr last saw, or we hold them;
//! every report writes them first. From there `PTRACE_SYSEMU` runs into a breakpoint and `PTRACE_SYSEMU_SINGLESTEP`
//! steps; these two alone make no stop on leaving a system call that was not made.
//!
//! System calls that are to be restarted, signals to be delivered, single steps rr asks for and 32-bit code never enter
//! the cache; nor do instructions with an execution breakpoint in a debug register, before which blocks end
//! ([`Space::leave_out`]).

mod asm;
mod block;
mod branch;
mod change;
mod class;
mod code;
pub mod count;
mod exits;
pub mod fpu;
mod guard;
mod index;
pub mod insn;
pub mod keep;
pub mod layout;
mod made;
mod maps;
pub mod masks;
mod memory_writes;
mod operand;
mod pages;
pub mod piece;
mod placed;
pub mod reads;
pub mod region;
mod region_changes;
pub mod requirement;
mod roll;
mod rr_page;
mod run;
mod save;
pub mod site;
mod space;
mod store;
mod stubs;
mod translate;
mod unroll;
pub mod vectors;
pub mod watch;
pub mod writes;
mod x87;

pub use block::{Exit, Lowering};
pub use count::MOST as MOST_LENT;
pub use exits::{MOST_AHEAD, MOST_BEYOND};
pub use index::Index;
pub use pages::PAGE;
pub use region::Slots;
pub use space::{Region, Space, Spaces};
pub use store::Store;

//! Questions about a whole execution, answered by one replay without a debugger.
//!
//! A [probe pass](softcounters::probes) records registers, and memory that they lead to, whenever a chosen
//! instruction is executed. A question names functions or lines, and expressions. This crate finds out what has to be
//! collected for them, and afterwards evaluates the expressions from what was collected, with the evaluator that is
//! used at a stop. What was not collected is reported as such. A count pass counts how often code was executed.
//!
//! ```text
//! calls      all calls of functions: arguments, results, callers; which never returned
//! matching   which return belongs to which call
//! function   one function that is asked about: where it begins and ends, where its arguments are
//! returned   what a function has returned
//! trace      values of expressions at places, whenever these are executed
//! writes     all writes to memory, and which of them were before a moment
//! origin     where a value comes from, followed back through its copies
//! channels   which call wrote what another one has read, of all processes
//! shared     memory that several mappings share, of one process or of several
//! execution  which functions and lines were executed, how often
//! coverage   how often each line of functions was executed
//! profile    how often each function was called, and its share of all ticks
//! paths      where the work was, by call paths
//! executed   what a count pass has counted of a module, in all address spaces that are asked about
//! diff       where two recordings part
//! why        which branch decided that code was executed, or that it never was
//! heap       which block of the heap an address lies in, who allocated it, who freed it
//! allocators the functions that allocate memory and free it
//! callers    who called a function, and who that one
//! raises     where exceptions were thrown, and which were being handled then
//! locks      since when locks are held, and by whom
//! lock_words locks that are words in memory
//! races      accesses by different threads that nothing keeps apart
//! part       which part of an object some bytes are
//! summary    how often each value, the least, the greatest
//! answer     what all answers say besides their rows
//! hits       the hits of a pass, as far as they are asked about
//! expression an expression, and what it comes to at a hit
//! scope      names and memory as an expression sees them at a hit
//! quick      conditions that are judged without values being made, and what of them the replay itself looks at
//! plan       what has to be collected for an expression, and what was, as a moment that expressions are evaluated in
//! made_up    a moment in which every value says where it comes from
//! frame      what debug info may ask about such moments
//! biases     where modules are at hits
//! place      functions, lines and addresses that are asked about
//! copies     where functions are inlined
//! program    the files that were mapped in the recording
//! identity   what tells a recording, and its debug info, from another one
//! ```

mod allocators;
mod answer;
mod biases;
mod callers;
mod calls;
mod channels;
mod copies;
mod coverage;
mod diff;
mod error;
mod executed;
mod execution;
mod expression;
mod frame;
mod function;
mod global;
mod heap;
mod hits;
mod identity;
mod lock_words;
mod locks;
mod made_up;
mod matching;
mod origin;
mod part;
mod paths;
mod place;
mod plan;
mod profile;
mod program;
mod quick;
mod races;
mod raises;
mod returned;
mod scope;
mod shared;
mod shown;
mod summary;
mod trace;
mod why;
mod writes;

pub use answer::{Facts, Named};
pub use callers::Frames;
pub use calls::{Argument, CallRow, Calls, CallsQuery, Ending, Source};
pub use coverage::{LineCount, lines};
pub use diff::{Diff, DiffQuery, DiffRow, DiffSide, Difference};
pub use error::Error;
pub use executed::Executed;
pub use execution::{Execution, FunctionRow, Functions, Lines};
pub use heap::{Heap, HeapBlock, HeapCall, HeapCalls, HeapOf, HeapQuery};
pub use hits::{Filter, Moment};
pub use identity::{debug_identity, identity_of};
pub use lock_words::LockWord;
pub use locks::{HeldLock, Holder, LockKind, LockQuery, Locks, LocksQuery, Taking, Wakes};
pub use origin::{Hop, HopKind, LONGEST_VALUE, Origin, OriginQuery};
pub use part::{Part, part_of};
pub use paths::{PathNode, Paths};
pub use profile::{FunctionCount, Profile, profile};
pub use races::{LockHeld, RaceAccess, RaceRow, Races, RacesQuery, ThreadAccesses};
pub use raises::{Raise, Raised};
pub use shown::Shown;
pub use softcounters::probes::Access;
pub use summary::{Bucket, Range, Summary};
pub use trace::{NoValue, Trace, TraceQuery, TraceRow, Which};
pub use why::{BranchSide, Decision, FirstBranch, Turned, Why, WhyQuery};
pub use writes::{
    Author, Before, LastWrites, LastWritesQuery, Moved, Now, Place as NowPlace, WriteRow, Writes, WritesQuery,
};

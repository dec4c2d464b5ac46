//! What is asked for.

use super::requirement::Requirement;
use super::write::{Access, Watch};
use std::fmt::{self, Write};

/// Most probes of a pass.
const MOST_PROBES: usize = 4096;
/// Most probes at one place.
const MOST_TOGETHER: usize = 16;
/// Most values of a probe.
pub const MOST_VALUES: usize = 32;
/// Most that one probe requires.
pub const MOST_REQUIREMENTS: usize = 8;
/// Most steps to an address.
const MOST_STEPS: usize = 8;
/// Most bytes of memory of one value.
const MOST_BYTES: u16 = 512;
/// Farthest step.
const FARTHEST: u32 = 1 << 30;
/// Longest build ID.
const LONGEST_ID: usize = 64;
/// Most ranges of memory that are watched.
const MOST_WATCHES: usize = 4096;
/// Most writes that are kept for the end.
const MOST_KEPT: u32 = 1 << 16;
/// Most threads of which not all is wanted.
const MOST_BOUNDS: usize = 1 << 16;
/// Highest number of one of them.
const LAST_THREAD: u32 = 1 << 20;

/// A general register of x86-64; or what else is in a register: `rip`, the address of the instruction, and `fs`, the
/// base of the segment, from which thread-local variables are counted. What is told of writes has neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(u8);

impl Register {
    /// By their numbers in the encoding, and those that have none there.
    const NAMES: [&str; 18] = [
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
        "rip", "fs",
    ];
    /// How many are general.
    const GENERAL: u8 = 16;

    /// The register of this name, as `rdi`.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).and_then(|number| u8::try_from(number).ok()).map(Self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

/// Something that a hit tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A general register.
    Register(Register),
    /// The low 16 bytes of the vector register of this number, below 16.
    Vector(u8),
    /// Bytes of memory.
    Memory {
        /// What the address begins with.
        base: Register,
        /// What is added to it, and then to what is in memory there, and so on; at least one.
        steps: Vec<i32>,
        /// How many bytes, 1 to 512.
        length: u16,
    },
}

/// How a module is known again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Module {
    /// By its build ID.
    BuildId(Vec<u8>),
    /// By the checksum of its headers: FNV-1a (64 bits) of the ELF header and the program headers.
    Headers(u64),
}

/// Where a probe is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a module, wherever it is mapped.
    Module {
        /// Which.
        module: Module,
        /// As the module's file has it.
        address: u64,
    },
    /// At an address.
    Address {
        /// As the program has it.
        address: u64,
        /// In this address space alone.
        space: Option<u32>,
    },
}

/// A question: whenever the instruction there is executed, these values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Where.
    pub place: Place,
    /// What; at most 32.
    pub values: Vec<Value>,
    /// What must hold for it to be told, in this order; at most 8.
    pub requires: Vec<Requirement>,
}

impl Probe {
    /// Creates a question that requires nothing.
    pub const fn new(place: Place, values: Vec<Value>) -> Self {
        Self { place, values, requires: Vec::new() }
    }
}

/// Why no list can be made of probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// Too many of them.
    #[error("a pass has at most {MOST_PROBES} probes")]
    TooMany,
    /// Too many of them where one is.
    #[error("there are at most {MOST_TOGETHER} probes at one place")]
    TooManyTogether,
    /// One asks for what cannot be told.
    #[error(
        "probe {0} asks for what cannot be told: at most {MOST_VALUES} values, vector registers below 16, 1 to \
         {MOST_BYTES} bytes of memory, 1 to {MOST_STEPS} steps of at most 2^30"
    )]
    Values(usize),
    /// One requires what cannot be looked at.
    #[error(
        "probe {0} requires what cannot be looked at: at most {MOST_REQUIREMENTS} numbers of 1, 2, 4 or 8 bytes, which each \
         lie in a range of such numbers"
    )]
    Requires(usize),
    /// The build ID of one is none.
    #[error("the build ID of probe {0} is empty, or longer than {LONGEST_ID} bytes")]
    BuildId(usize),
    /// Too much is watched.
    #[error("a pass watches at most {MOST_WATCHES} ranges")]
    TooManyWatches,
    /// One asks for what cannot be told.
    #[error(
        "watch {0} is empty, of none or more than {MOST_KEPT} last writes or of last reads, or asks for registers that are \
         not general"
    )]
    Watch(usize),
    /// All together ask for too much.
    #[error("all watches together ask for at most {MOST_VALUES} different values")]
    WatchedValues,
    /// What is required does not go with bounds of threads: a hit that is passed over is seen by nobody.
    #[error("a pass that begins or ends at bounds of threads has no probes that require something")]
    RequiresBounds,
    /// Too many threads are bounded.
    #[error("at most {MOST_BOUNDS} threads are bounded, of numbers from 1 to {LAST_THREAD}")]
    Bounds,
    /// What is counted is told at the end of the replay alone.
    #[error("a pass that counts executions runs to the end of the recording")]
    Counts,
}

/// What is asked of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Whenever an instruction is executed.
    pub probes: Vec<Probe>,
    /// Whenever memory is written.
    pub watches: Vec<Watch>,
    /// How often all that is executed was; not with `until`.
    pub counts: bool,
    /// What is wanted of threads: nothing more when one of them is behind that. Empty: all.
    pub until: Vec<Until>,
    /// Hits of probes are wanted of the thread of this number alone, when it has executed so many branches.
    pub since: Option<(u32, u64)>,
}

/// Up to where a thread is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// Its number, from 1 in the order of their beginnings.
    pub thread: u32,
    /// Of watches that want the last writes, those are skipped only that it makes at fewer branches. Of threads of which
    /// nothing is said, none is.
    pub sure: u64,
    /// Nothing more is wanted when it has executed more branches.
    pub most: u64,
}

/// The text of the list of these probes, for at most `limit` bytes of hits.
///
/// # Errors
/// If the object would refuse it.
pub fn list(probes: &[Probe], limit: Option<u64>) -> Result<String, Refused> {
    Asked { probes: probes.to_vec(), ..Asked::default() }.list(limit)
}

impl Asked {
    /// The text of the list, for at most `limit` bytes of hits.
    ///
    /// # Errors
    /// If the object would refuse it.
    pub fn list(&self, limit: Option<u64>) -> Result<String, Refused> {
        list_of(self, limit)
    }
}

fn list_of(Asked { probes, watches, counts, until, since }: &Asked, limit: Option<u64>) -> Result<String, Refused> {
    if probes.len() > MOST_PROBES {
        return Err(Refused::TooMany);
    }
    let mut text = Text::default();
    text.line(format_args!("retrograde-probes 1"));
    if let Some(limit) = limit {
        text.line(format_args!("limit {limit}"));
    }
    if *counts && !until.is_empty() {
        return Err(Refused::Counts);
    }
    if until.len() > MOST_BOUNDS || !until.iter().all(|bound| (1..=LAST_THREAD).contains(&bound.thread)) {
        return Err(Refused::Bounds);
    }
    for Until { thread, sure, most } in until {
        text.line(format_args!("until {thread} {sure} {most}"));
    }
    if let Some((thread, ticks)) = since {
        text.line(format_args!("since {thread} {ticks}"));
    }
    check_watches(watches)?;
    if *counts {
        text.line(format_args!("counts"));
    }
    let is_wrong = |probe: &Probe| {
        probe.requires.len() > MOST_REQUIREMENTS || !probe.requires.iter().all(Requirement::is_possible)
    };
    if let Some(number) = probes.iter().position(is_wrong) {
        return Err(Refused::Requires(number));
    }
    if (since.is_some() || !until.is_empty()) && probes.iter().any(|probe| !probe.requires.is_empty()) {
        return Err(Refused::RequiresBounds);
    }
    let mut modules: Vec<&Module> = Vec::new();
    let mut places = Vec::new();
    let all = probes.iter().map(|probe| (&probe.place, &probe.values));
    let all = all.chain(watches.iter().map(|watch| (&watch.place, &watch.values)));
    for (number, (place, values)) in all.enumerate() {
        if !values.iter().all(is_possible) || values.len() > MOST_VALUES {
            return Err(Refused::Values(number));
        }
        let place = match place {
            Place::Module { module, address } => {
                if matches!(module, Module::BuildId(id) if !(1..=LONGEST_ID).contains(&id.len())) {
                    return Err(Refused::BuildId(number));
                }
                let known = modules.iter().position(|known| *known == module);
                let index = known.unwrap_or(modules.len());
                if known.is_none() {
                    modules.push(module);
                }
                format!("module {index} {address:x}")
            }
            Place::Address { address, space: None } => format!("space all {address:x}"),
            Place::Address { address, space: Some(space) } => format!("space {space} {address:x}"),
        };
        places.push(place);
    }
    let (places, watched) = places.split_at(probes.len());
    let mut sorted: Vec<&str> = places.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    if sorted.chunk_by(|a, b| a == b).any(|same| same.len() > MOST_TOGETHER) {
        return Err(Refused::TooManyTogether);
    }
    for module in modules {
        match module {
            Module::BuildId(id) => {
                let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
                text.line(format_args!("module build-id {hex}"));
            }
            Module::Headers(sum) => text.line(format_args!("module headers {sum:x}")),
        }
    }
    let words = |values: &[Value]| values.iter().map(|value| format!(" {value}")).collect::<String>();
    for (place, probe) in places.iter().zip(probes) {
        let requires: String = probe.requires.iter().map(|requirement| format!(" {requirement}")).collect();
        let required = if requires.is_empty() { "" } else { " if" };
        text.line(format_args!("at {place}{}{required}{requires}", words(&probe.values)));
    }
    for (place, watch) in watched.iter().zip(watches) {
        let last = watch.last.map_or_else(String::new, |last| format!(" last {last}"));
        let kind = match watch.access {
            Access::Write => "write",
            Access::Read => "read",
            Access::Both => "access",
        };
        text.line(format_args!("{kind} {place} {}{last}{}", watch.length, words(&watch.values)));
    }
    text.line(format_args!("end"));
    Ok(text.0)
}

fn check_watches(watches: &[Watch]) -> Result<(), Refused> {
    if watches.len() > MOST_WATCHES {
        return Err(Refused::TooManyWatches);
    }
    let is_general = |value: &Value| match value {
        Value::Register(register) | Value::Memory { base: register, .. } => register.0 < Register::GENERAL,
        Value::Vector(_) => true,
    };
    let is_wrong = |watch: &Watch| {
        !watch.values.iter().all(is_general)
            || watch.length == 0
            || watch.last.is_some_and(|last| !(1..=MOST_KEPT).contains(&last) || watch.access.reads())
    };
    if let Some(number) = watches.iter().position(is_wrong) {
        return Err(Refused::Watch(number));
    }
    let mut values: Vec<&Value> = Vec::new();
    for value in watches.iter().flat_map(|watch| &watch.values) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if values.len() > MOST_VALUES { Err(Refused::WatchedValues) } else { Ok(()) }
}

fn is_possible(value: &Value) -> bool {
    match value {
        Value::Register(_) => true,
        Value::Vector(number) => *number < 16,
        Value::Memory { steps, length, .. } => is_way(steps) && (1..=MOST_BYTES).contains(length),
    }
}

/// Returns whether an address can be found by these steps.
pub(super) fn is_way(steps: &[i32]) -> bool {
    (1..=MOST_STEPS).contains(&steps.len()) && steps.iter().all(|step| step.unsigned_abs() <= FARTHEST)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(register) => f.write_str(register.name()),
            Self::Vector(number) => write!(f, "xmm{number}"),
            Self::Memory { base, steps, length } => {
                write!(f, "{length}@{}", base.name())?;
                steps.iter().try_for_each(|step| write!(f, "+{step}"))
            }
        }
    }
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{line}");
    }
}

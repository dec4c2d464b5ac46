//! What is asked for.

use std::fmt::{self, Write};

/// Most probes of a pass.
const MOST_PROBES: usize = 4096;
/// Most probes at one place.
const MOST_TOGETHER: usize = 16;
/// Most values of a probe.
const MOST_VALUES: usize = 32;
/// Most steps to an address.
const MOST_STEPS: usize = 8;
/// Most bytes of memory of one value.
const MOST_BYTES: u16 = 512;
/// Farthest step.
const FARTHEST: u32 = 1 << 30;
/// Longest build ID.
const LONGEST_ID: usize = 64;

/// A general register of x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(u8);

impl Register {
    /// By their numbers in the encoding.
    const NAMES: [&str; 16] =
        ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];

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
    /// The build ID of one is none.
    #[error("the build ID of probe {0} is empty, or longer than {LONGEST_ID} bytes")]
    BuildId(usize),
}

/// The text of the list of these probes, for at most `limit` bytes of hits.
///
/// # Errors
/// If the object would refuse it.
pub fn list(probes: &[Probe], limit: Option<u64>) -> Result<String, Refused> {
    if probes.len() > MOST_PROBES {
        return Err(Refused::TooMany);
    }
    let mut text = Text::default();
    text.line(format_args!("retrograde-probes 1"));
    if let Some(limit) = limit {
        text.line(format_args!("limit {limit}"));
    }
    let mut modules: Vec<&Module> = Vec::new();
    let mut places = Vec::new();
    for (number, probe) in probes.iter().enumerate() {
        if !probe.values.iter().all(is_possible) || probe.values.len() > MOST_VALUES {
            return Err(Refused::Values(number));
        }
        let place = match &probe.place {
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
    for (place, probe) in places.iter().zip(probes) {
        let values: String = probe.values.iter().map(|value| format!(" {value}")).collect();
        text.line(format_args!("at {place}{values}"));
    }
    text.line(format_args!("end"));
    Ok(text.0)
}

fn is_possible(value: &Value) -> bool {
    match value {
        Value::Register(_) => true,
        Value::Vector(number) => *number < 16,
        Value::Memory { steps, length, .. } => {
            (1..=MOST_STEPS).contains(&steps.len())
                && steps.iter().all(|step| step.unsigned_abs() <= FARTHEST)
                && (1..=MOST_BYTES).contains(length)
        }
    }
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

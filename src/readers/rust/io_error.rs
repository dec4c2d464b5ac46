//! `std::io::Error`: a number of the system, a kind, or a box, told apart by two bits (64-bit targets since 1.59).

use crate::contiguous::Few;
use crate::errno::errno_name;
use crate::object::{at, base, first_member, is_readable, number};
use base::qualified::last;
use ctype::layout::strip;
use ctype::{Meaning, Memory, Style, Type, TypeRef, Value};

/// Which of the four it is.
const TAG: u64 = 3;
const SIMPLE_MESSAGE: u64 = 0;
const CUSTOM: u64 = 1;
const SYSTEM: u64 = 2;

/// The kinds that the library makes of error numbers, by the numbers' names.
const KINDS: &[(&str, &str)] = &[
    ("E2BIG", "ArgumentListTooLong"),
    ("EACCES", "PermissionDenied"),
    ("EADDRINUSE", "AddrInUse"),
    ("EADDRNOTAVAIL", "AddrNotAvailable"),
    ("EAGAIN", "WouldBlock"),
    ("EBUSY", "ResourceBusy"),
    ("ECONNABORTED", "ConnectionAborted"),
    ("ECONNREFUSED", "ConnectionRefused"),
    ("ECONNRESET", "ConnectionReset"),
    ("EDEADLK", "Deadlock"),
    ("EEXIST", "AlreadyExists"),
    ("EFBIG", "FileTooLarge"),
    ("EHOSTUNREACH", "HostUnreachable"),
    ("EINTR", "Interrupted"),
    ("EINVAL", "InvalidInput"),
    ("EISDIR", "IsADirectory"),
    ("EMLINK", "TooManyLinks"),
    ("ENETDOWN", "NetworkDown"),
    ("ENETUNREACH", "NetworkUnreachable"),
    ("ENOENT", "NotFound"),
    ("ENOMEM", "OutOfMemory"),
    ("ENOSPC", "StorageFull"),
    ("ENOSYS", "Unsupported"),
    ("ENOTCONN", "NotConnected"),
    ("ENOTDIR", "NotADirectory"),
    ("ENOTEMPTY", "DirectoryNotEmpty"),
    ("EPERM", "PermissionDenied"),
    ("EPIPE", "BrokenPipe"),
    ("EROFS", "ReadOnlyFilesystem"),
    ("ESPIPE", "NotSeekable"),
    ("ESTALE", "StaleNetworkFileHandle"),
    ("ETIMEDOUT", "TimedOut"),
    ("ETXTBSY", "ExecutableFileBusy"),
];

/// Reads an error, as `{:?}` would show it, but for the system's words.
pub(super) fn error(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let pointer = first_member(value, &["repr.__0.pointer", "repr.__0"])?;
    let bits = number(&pointer, memory)?;
    let high = (bits >> 32) as u32;
    let kind_type =
        memory.named_type("std::io::error::ErrorKind").or_else(|| memory.named_type("core::io::error::ErrorKind"));
    match bits & TAG {
        SYSTEM => {
            let code = Value::computed(base("i32", ctype::Encoding::Signed, 4), &high.to_le_bytes());
            let kind = errno_name(high as i32).and_then(|name| KINDS.iter().find(|(errno, _)| *errno == name));
            let kind = kind.zip(kind_type).and_then(|((_, kind), ty)| kind_named(&ty, kind));
            let mut fields = vec![("code", code.clone())];
            fields.extend(kind.clone().map(|kind| ("kind", kind)));
            Some(of("Os", fields, kind).fact("raw_os_error", code))
        }
        CUSTOM => boxed("std::io::error::Custom", "Custom", bits.checked_sub(CUSTOM)?, &["kind", "error"], memory),
        SIMPLE_MESSAGE => boxed("std::io::error::SimpleMessage", "Error", bits, &["kind", "message"], memory),
        _ => {
            let kind = Value::computed(kind_type?, &high.to_le_bytes()[..1]);
            let shown = Few::named([("0", kind.clone())]);
            Some(Meaning::empty(true).says("Kind").fact("kind", kind).holds(Style::Tuple, shown))
        }
    }
}

fn of(title: &'static str, fields: Vec<(&'static str, Value)>, kind: Option<Value>) -> Meaning {
    let mut meaning = Meaning::empty(true).says(title).holds(Style::Fields, Few::named(fields));
    meaning.facts.extend(kind.map(|kind| ("kind", kind)));
    meaning
}

/// Reads an error with more to say, which is elsewhere.
fn boxed(
    name: &str,
    title: &'static str,
    address: u64,
    fields: &[&'static str],
    memory: &mut dyn Memory,
) -> Option<Meaning> {
    let record = at(memory.named_type(name)?, address);
    if !is_readable(address, 8, memory) {
        return None;
    }
    let fields: Option<Vec<_>> = fields.iter().map(|field| Some((*field, record.member(field)?))).collect();
    Some(of(title, fields?, record.member("kind")))
}

/// Makes the kind of that name.
fn kind_named(ty: &TypeRef, name: &str) -> Option<Value> {
    let Type::Enumeration(kinds) = &*strip(ty) else { return None };
    let (_, number) = kinds.enumerators.iter().find(|(known, _)| last(known) == name)?;
    Some(Value::computed(ty.clone(), &number.to_le_bytes()[..1]))
}

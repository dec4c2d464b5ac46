//! A program that waits, seen through its debug info and its memory: what an engine has of a replay, without rr.

use crate::support::fixtures;
use arch::{Bias, LinkAddr};
use ctype::{Dialect, Meaning, Memory, Options, Place, Target, TypeRef, Unavailable, Value, render};
use dwarf::{DebugPaths, FrameContext, Image, Location, NoTls};
use expr::{Env, LookupError, Name, Tag, Types};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// A fixture that runs until it is dropped.
pub struct Program {
    image: Arc<Image>,
    memory: File,
    child: Child,
    dialect: Dialect,
}

impl Program {
    /// Starts a static fixture and waits until it says that its objects are there.
    pub fn start(fixture: &str, dialect: Dialect) -> Self {
        let (program, said) = Self::start_telling(fixture, dialect);
        assert!(said.is_empty(), "{fixture}: {said:?}");
        program
    }

    /// Starts a static fixture that prints expressions with their values, which it tells, and waits until an empty line.
    pub fn start_telling(fixture: &str, dialect: Dialect) -> (Self, Vec<(String, String)>) {
        let path = fixtures::program(fixture);
        let image = Image::open(&path, &DebugPaths::default()).unwrap();
        let mut child = Command::new(&path).arg("wait").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut told = Vec::new();
        let mut is_waiting = false;
        for line in lines {
            is_waiting = line.is_empty();
            if is_waiting {
                break;
            }
            let (expression, value) = line.split_once('\t').unwrap_or_else(|| panic!("{fixture}: {line}"));
            told.push((expression.to_owned(), value.to_owned()));
        }
        assert!(is_waiting, "{fixture} has not begun to wait");
        let memory = File::open(format!("/proc/{}/mem", child.id())).unwrap();
        (Self { image, memory, child, dialect }, told)
    }

    pub fn target(&self) -> Target {
        Target { dialect: self.dialect, ..Target::X86_64 }
    }

    pub fn value(&mut self, expression: &str) -> Value {
        expr::evaluate_text(expression, self).unwrap_or_else(|e| panic!("{}", e.render(expression)))
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What `rr_evaluate` would show, or the error.
    pub fn try_show(&mut self, text: &str) -> String {
        let (format, expression) = expr::split_format(text).unwrap();
        let options = Options::new(self.target()).with_format(format);
        match expr::evaluate_text(expression, self) {
            Ok(value) => render(&value, self, &options).text,
            Err(e) => e.render(expression),
        }
    }

    /// What `rr_evaluate` would show.
    pub fn show(&mut self, expression: &str) -> String {
        self.value(expression);
        self.try_show(expression)
    }

    fn static_value(&mut self, name: &str) -> Option<Value> {
        let variable = self.image.globals_named(None, name).into_iter().next()?;
        let place = match self.image.variable_location(&variable, &mut Frameless) {
            Location::Memory(address) => Place::Memory(address),
            Location::Bytes(bytes) => Place::Bytes(bytes.into_iter().map(Some).collect()),
            other => panic!("{name}: {other:?}"),
        };
        Some(Value::new(variable.ty, place))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Memory for Program {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        self.memory.read_exact_at(buffer, address).map_err(|_| Unavailable::Memory(address))
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        let symbol = self.image.symbol_at(LinkAddr(address))?;
        let offset = address - symbol.address.0;
        if symbol.size != 0 && offset >= symbol.size {
            return None;
        }
        Some(if offset == 0 { format!("<{}>", symbol.display) } else { format!("<{}+{offset}>", symbol.display) })
    }

    fn class_of_function(&mut self, address: u64) -> Option<TypeRef> {
        self.image.class_of_function(LinkAddr(address))
    }

    fn named_type(&mut self, name: &str) -> Option<TypeRef> {
        self.image.type_named(None, name)
    }

    fn static_member(&mut self, name: &str, _declared: u64) -> Option<Value> {
        self.static_value(name)
    }

    fn vtable_owner(&mut self, table: u64) -> Option<TypeRef> {
        self.image.vtable_owner(LinkAddr(table))
    }

    fn whole_object(&mut self, value: &Value) -> Option<Value> {
        readers::whole_object(value, self)
    }

    fn meaning(&mut self, value: &Value) -> Option<Meaning> {
        readers::meaning(value, self)
    }
}

impl Types for Program {
    fn target(&self) -> Target {
        Self::target(self)
    }

    fn type_named(&mut self, _: Option<Tag>, name: &str) -> Option<TypeRef> {
        self.image.type_named(None, name)
    }

    fn enumerator(&mut self, name: &str) -> Option<(TypeRef, i128)> {
        self.image.enumerator_in(&[], name)
    }
}

impl Env for Program {
    fn variable(&mut self, name: &Name) -> Result<Value, LookupError> {
        self.static_value(&name.qualified()).ok_or(LookupError::NotFound)
    }

    fn register(&mut self, _: &str) -> Option<Value> {
        None
    }
}

/// Globals are where they are whatever the frame.
struct Frameless;

impl FrameContext for Frameless {
    fn register(&mut self, _: u16) -> Option<u64> {
        None
    }
    fn register_bytes(&mut self, _: u16) -> Option<Vec<u8>> {
        None
    }
    fn read(&mut self, _: u64, _: &mut [u8]) -> bool {
        false
    }
    fn cfa(&mut self) -> Option<u64> {
        None
    }
    fn tls(&mut self, _: u64) -> Result<u64, NoTls> {
        Err(NoTls::Unknown)
    }
    fn entry_value(&mut self, _: u16) -> Option<u64> {
        None
    }
    fn pc(&self) -> LinkAddr {
        LinkAddr(0)
    }
    fn bias(&self) -> Bias {
        Bias(0)
    }
}

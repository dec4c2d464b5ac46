//! A program as `oracle/generate.py` wrote it down: types, symbols, memory, and what GDB printed.

use super::*;
use ctype::layout::{array_of, pointer_target, pointer_to};
use ctype::{
    Bits, Count, Encoding, Enumeration, Link, Meaning, Member, Memory, Place, PointerKind, Qualifier, Record,
    RecordKind, Target, Type, TypeLoader, TypeRef, Unavailable, Value, VirtualBase,
};
use ctype::{Body, Dialect};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, Weak};

/// The types by their numbers; links between them are lazy, as those of debug info are.
#[derive(Default)]
struct Loader(Mutex<HashMap<u64, TypeRef>>);

impl TypeLoader for Loader {
    fn load(&self, key: u64) -> TypeRef {
        self.0.lock().unwrap()[&key].clone()
    }
}

#[derive(Clone)]
pub(super) struct Oracle {
    pub prints: Vec<(String, String)>,
    pub target: Target,
    loader: Arc<Loader>,
    pub variables: HashMap<String, (u64, u64)>,
    pub packages: bool,
    named: HashMap<String, u64>,
    memory: BTreeMap<u64, Vec<u8>>,
    ranges: Vec<(u64, u64)>,
    symbols: BTreeMap<u64, (u64, String)>,
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

fn word(text: &str) -> Option<String> {
    (text != "-").then(|| text.replace('~', " "))
}

impl Oracle {
    pub(super) fn load(text: &str) -> Self {
        let mut oracle = Self {
            prints: Vec::new(),
            target: Target::X86_64,
            loader: Arc::default(),
            variables: HashMap::new(),
            packages: false,
            named: HashMap::new(),
            memory: BTreeMap::new(),
            ranges: Vec::new(),
            symbols: BTreeMap::new(),
        };
        let mut members: HashMap<u64, Vec<Member>> = HashMap::new();
        let mut enumerators: HashMap<u64, Vec<(String, i128)>> = HashMap::new();
        let mut virtual_bases: HashMap<u64, Vec<VirtualBase>> = HashMap::new();
        let mut types = Vec::new();
        for line in text.lines() {
            if let Some(print) = line.strip_prefix("print ") {
                let (expression, result) = print.split_once('\t').unwrap();
                oracle.prints.push((expression.to_owned(), result.to_owned()));
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            let n = |i: usize| words[i].parse::<u64>().unwrap();
            match words[0] {
                "memory" => {
                    let bytes = words[2].as_bytes().chunks(2).map(|c| hex(std::str::from_utf8(c).unwrap()) as u8);
                    oracle.memory.insert(hex(words[1]), bytes.collect());
                }
                "range" => oracle.ranges.push((hex(words[1]), hex(words[2]))),
                "symbol" => {
                    oracle.symbols.insert(hex(words[1]), (hex(words[2]), word(words[3]).unwrap()));
                }
                "variable" => {
                    oracle.variables.insert(word(words[1]).unwrap(), (hex(words[2]), n(3)));
                }
                "named" => {
                    oracle.named.insert(word(words[1]).unwrap(), n(2));
                }
                "member" => {
                    let (position, size) = (n(4), n(5));
                    let bits = (size > 0).then_some(Bits::new((position % 8) as u8, size as u8));
                    members.entry(n(1)).or_default().push(Member {
                        name: word(words[2]),
                        ty: oracle.link(n(3)),
                        offset: position / 8,
                        bits,
                        is_base: words[6] == "1",
                        alignment: None,
                    });
                }
                "enumerator" => {
                    enumerators.entry(n(1)).or_default().push((words[2].to_owned(), words[3].parse().unwrap()));
                }
                "virtual" => {
                    let base = VirtualBase { ty: oracle.link(n(2)), entry: n(3), before: 0 };
                    virtual_bases.entry(n(1)).or_default().push(base);
                }
                "type" => types.push(line),
                other => panic!("{other}"),
            }
        }
        for line in types {
            let words: Vec<&str> = line.split(' ').collect();
            let number = words[1].parse().unwrap();
            let mut ty = oracle.make_type(
                &words[2..],
                members.remove(&number).unwrap_or_default(),
                enumerators.remove(&number).unwrap_or_default(),
            );
            if let Type::Record(record) = &mut ty {
                record.virtual_bases = virtual_bases.remove(&number).unwrap_or_default();
            }
            oracle.loader.0.lock().unwrap().insert(number, Arc::new(ty));
        }
        oracle
    }

    fn link(&self, number: u64) -> Link {
        let loader: Weak<Loader> = Arc::downgrade(&self.loader);
        Link::lazy(loader, number)
    }

    fn make_type(&self, words: &[&str], members: Vec<Member>, enumerators: Vec<(String, i128)>) -> Type {
        let n = |i: usize| words[i].parse::<u64>().unwrap();
        let pointer = |kind| Type::Pointer { kind, target: self.link(n(1)), size: 8 };
        let record = |kind| {
            Type::Record(Record {
                kind,
                name: word(words[2]),
                size: Some(n(1)),
                members: members.clone(),
                ..Record::default()
            })
        };
        let qualified = |qualifier| Type::Qualified { qualifier, target: self.link(n(1)) };
        match words[0] {
            "void" => Type::Void,
            "base" => {
                let encoding = match words[2] {
                    "bool" => Encoding::Bool,
                    "signed" => Encoding::Signed,
                    "unsigned" => Encoding::Unsigned,
                    "signed-char" => Encoding::SignedChar,
                    "unsigned-char" => Encoding::UnsignedChar,
                    "utf" => Encoding::Utf,
                    "float" => Encoding::Float,
                    "complex" => Encoding::ComplexFloat,
                    other => panic!("{other}"),
                };
                Type::Base { name: word(words[3]).unwrap(), encoding, size: n(1) }
            }
            "pointer" => pointer(PointerKind::Pointer),
            "reference" => pointer(PointerKind::Reference),
            "rvalue" => pointer(PointerKind::RvalueReference),
            "array" => {
                let count = words[1].parse().map_or(Count::Unknown, Count::Known);
                Type::Array { element: self.link(n(2)), count, indexing: Default::default() }
            }
            "struct" => record(RecordKind::Struct),
            "union" => record(RecordKind::Union),
            "enum" => Type::Enumeration(Enumeration {
                name: word(words[3]),
                size: n(1),
                signed: n(2) == 1,
                enumerators,
                ..Enumeration::default()
            }),
            "typedef" => Type::Typedef { name: word(words[1]).unwrap(), target: self.link(n(2)), alignment: None },
            "const" => qualified(Qualifier::Const),
            "volatile" => qualified(Qualifier::Volatile),
            "function" => Type::Function {
                result: self.link(n(1)),
                parameters: (4..words.len()).map(|i| self.link(n(i))).collect(),
                variadic: n(2) == 1,
                prototyped: n(3) == 1,
            },
            "opaque" => Type::Opaque(word(words[1]).unwrap()),
            other => panic!("{other}"),
        }
    }

    fn byte(&self, address: u64) -> Option<u8> {
        if !self.ranges.iter().any(|(start, end)| (*start..*end).contains(&address)) {
            return None;
        }
        let line = self.memory.range(..=address).next_back();
        Some(line.and_then(|(start, bytes)| bytes.get((address - start) as usize)).copied().unwrap_or(0))
    }
}

impl Memory for Oracle {
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        for (i, byte) in buffer.iter_mut().enumerate() {
            let at = address.wrapping_add(i as u64);
            *byte = self.byte(at).ok_or(Unavailable::Memory(at))?;
        }
        Ok(())
    }

    /// Reads a literal text of Rust.
    fn meaning(&mut self, value: &Value) -> Option<Meaning> {
        let pointer = value.member("data_ptr")?;
        let length = value.member("length")?.word(0, self).ok()?;
        let characters = pointer.synthetic_target(&array_of(pointer_target(&pointer.ty)?, length))?;
        Some(Meaning { body: Body::Text(characters), length: Some(length), ..Meaning::empty(true) })
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        let (start, (size, name)) = self.symbols.range(..=address).next_back()?;
        let offset = address - start;
        match offset {
            0 => Some(format!("<{name}>")),
            _ if offset < *size => Some(format!("<{name}+{offset}>")),
            _ => None,
        }
    }
}

impl Names for Oracle {
    fn is_type(&mut self, name: &str) -> bool {
        self.type_named(None, name).is_some()
    }
}

impl Types for Oracle {
    fn target(&self) -> Target {
        self.target
    }

    fn type_named(&mut self, tag: Option<Tag>, name: &str) -> Option<TypeRef> {
        let types = self.loader.0.lock().unwrap();
        let typedef = || self.named.get(name).map(|n| types[n].clone());
        match tag {
            None if self.target.dialect == Dialect::C => typedef().filter(|ty| matches!(&**ty, Type::Typedef { .. })),
            _ => types
                .values()
                .find(|ty| match (&***ty, tag) {
                    (Type::Record(r), None) => r.name.as_deref() == Some(name),
                    (Type::Record(r), Some(Tag::Union)) => {
                        r.kind == RecordKind::Union && r.name.as_deref() == Some(name)
                    }
                    (Type::Record(r), Some(_)) => r.kind != RecordKind::Union && r.name.as_deref() == Some(name),
                    (Type::Enumeration(e), None | Some(Tag::Enum)) => e.name.as_deref() == Some(name),
                    _ => false,
                })
                .cloned()
                .or_else(|| typedef().filter(|_| tag.is_none())),
        }
    }

    fn enumerator(&mut self, name: &str) -> Option<(TypeRef, i128)> {
        let types = self.loader.0.lock().unwrap();
        types.values().find_map(|ty| match &**ty {
            Type::Enumeration(e) => {
                e.enumerators.iter().find(|(n, _)| n == name).map(|(_, value)| (ty.clone(), *value))
            }
            _ => None,
        })
    }
}

impl Env for Oracle {
    fn has_packages(&mut self) -> bool {
        self.packages
    }

    fn variable(&mut self, name: &Name) -> Result<Value, LookupError> {
        if name.qualified().ends_with("::cnt") {
            let (address, _) = self.symbols.iter().find(|(_, (_, n))| n.ends_with("cnt")).unwrap();
            let int = ctype::arith::Arithmetic::Integer(ctype::arith::IntegerType::INT).base_type();
            return Ok(Value::new(int, Place::Memory(*address)));
        }
        let (address, ty) = *self.variables.get(&name.qualified()).ok_or(LookupError::NotFound)?;
        Ok(Value::new(self.loader.load(ty), Place::Memory(address)))
    }

    fn register(&mut self, name: &str) -> Option<Value> {
        let void = pointer_to(Arc::new(Type::Void), 8);
        (name == "sp").then(|| Value::computed(void, &0x7ffe_1230u64.to_le_bytes()))
    }
}

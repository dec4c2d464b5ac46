//! Values read as what they mean: a vector rather than three pointers.
//!
//! Here are the words for it. Who knows the libraries' types makes a [`Meaning`] of a value; rendering shows it, and
//! expressions index it, look through it and ask it for its size.

use super::{Memory, Type, Unavailable, Value};
use std::borrow::Cow;
use std::fmt;

/// How the name of a type begins that stands for pointers to elements of containers where these do not lie side by
/// side. No program has such a name.
pub const ITERATOR_OF: &str = "iterator of ";
/// The same of pointers to where the last element ends.
pub const END_OF: &str = "end of ";

/// Returns whether a type is one of these.
pub(super) fn is_iterator(ty: &Type) -> bool {
    matches!(ty, Type::Typedef { name, .. } if name.starts_with(ITERATOR_OF) || name.starts_with(END_OF))
}

/// What an object means.
pub struct Meaning {
    /// What is said of the object as a whole: `std::vector of length 3, capacity 4`. May be empty.
    pub title: Vec<Word>,
    /// What it holds.
    pub body: Body,
    /// What `*` and `->` reach.
    pub target: Option<Value>,
    /// How many elements or characters it holds, where the object tells.
    pub length: Option<u64>,
    /// What member functions without arguments would return: name and value.
    pub facts: Vec<(&'static str, Value)>,
    /// Where it is, if it is an iterator.
    pub position: Option<Position>,
    /// The [address](Position::at) of what its `end()` gives, if it is a container.
    pub end: Option<u64>,
    /// The function of the program that says which of its keys are the same, if it is not the language's `==`.
    pub keys_by: Option<String>,
    /// Whether it is written as Rust writes it, `vec![1, 2]`, rather than as GDB writes C++, `std::vector … = {1, 2}`.
    pub rust: bool,
}

/// Where an iterator is.
#[derive(Clone, Debug)]
pub struct Position {
    /// The address of its element, or, past the last one, where that of another would be; of one that has no node, 0.
    /// Two iterators of a container are equal if these are.
    pub at: u64,
    /// The pointer that it is good for, if the elements lie side by side.
    pub pointer: Option<Value>,
}

/// Part of a title.
#[derive(Clone, Debug)]
pub enum Word {
    /// Text as it is.
    Text(Cow<'static, str>),
    /// A value in its own notation.
    Value(Value),
}

/// What an object holds.
pub enum Body {
    /// Nothing, or nothing but what the title says.
    Nothing,
    /// Characters: an array of so many of them.
    Text(Value),
    /// Elements.
    Items(Style, Box<dyn Items>),
}

/// How elements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `{1, 2}`; in Rust `[1, 2]`
    Sequence,
    /// `{[1] = "a"}`; in Rust `{1: "a"}`
    Map,
    /// `{[0] = 1, [1] = 2}`; in Rust `{1, 2}`
    Indexed,
    /// `{first = 1}`; in Rust ` { first: 1 }`
    Fields,
    /// As fields; in Rust `(1)`
    Tuple,
}

/// Elements that are gone through one by one in search of one of them.
pub const MAX_STEPS: u64 = 1 << 18;

/// The elements of a container, one after the other.
///
/// Made from the program's memory, which may be damaged: an implementation ends after as many elements as the
/// container says that it has, and each step reads a bounded number of bytes.
pub trait Items {
    /// Reads the next element; `None` after the last. After an error nothing follows.
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable>;

    /// Passes over so many elements, or to the end. Containers that know where an element is do so at once; the others
    /// refuse to go further than [`MAX_STEPS`].
    fn skip(&mut self, count: u64, memory: &mut dyn Memory) -> Result<(), Unavailable> {
        if count > MAX_STEPS {
            return Err(Unavailable::Other(format!("more than {MAX_STEPS} elements are not gone through one by one")));
        }
        for _ in 0..count {
            if self.next(memory)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Reads the element that `[index]` means, where the next one counts as number 0; `None` if there are not so many.
    fn nth(&mut self, index: u64, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        self.skip(index, memory)?;
        self.next(memory)
    }
}

/// An element.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is found by.
    pub key: Key,
    /// What it is.
    pub value: Value,
}

/// What an element is found by.
#[derive(Clone, Debug)]
pub enum Key {
    /// Its place among the others.
    Place,
    /// A name.
    Name(Cow<'static, str>),
    /// A value.
    Value(Value),
}

impl Item {
    /// Creates an element without a key.
    pub fn plain(value: Value) -> Self {
        Self { key: Key::Place, value }
    }
}

impl Meaning {
    /// Creates an object of which nothing is known yet.
    pub fn empty(rust: bool) -> Self {
        Self {
            title: Vec::new(),
            body: Body::Nothing,
            target: None,
            length: None,
            facts: Vec::new(),
            position: None,
            end: None,
            keys_by: None,
            rust,
        }
    }

    /// Adds text to the title.
    pub fn says(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        self.title.push(Word::Text(text.into()));
        self
    }

    /// Adds a value to the title.
    pub fn shows(mut self, value: Value) -> Self {
        self.title.push(Word::Value(value));
        self
    }

    /// Sets the elements that it holds.
    pub fn holds(mut self, style: Style, items: impl Items + 'static) -> Self {
        self.body = Body::Items(style, Box::new(items));
        self
    }

    /// Says where the iterator is that it means, whose elements do not lie side by side.
    pub fn stands(mut self, at: u64) -> Self {
        self.position = Some(Position { at, pointer: None });
        self
    }

    /// Adds a result of a member function.
    pub fn fact(mut self, name: &'static str, value: Value) -> Self {
        self.facts.push((name, value));
        self
    }
}

impl fmt::Debug for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = match &self.body {
            Body::Nothing => "nothing",
            Body::Text(_) => "text",
            Body::Items(..) => "items",
        };
        f.debug_struct("Meaning")
            .field("title", &self.title)
            .field("length", &self.length)
            .field("body", &body)
            .finish()
    }
}

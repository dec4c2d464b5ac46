//! `BTreeMap` and `BTreeSet`: nodes of up to eleven keys, with one more edges than keys below all but the lowest.

use super::{Object, address_in};
use crate::chain::{damaged, word};
use crate::object::{MAX_COUNT, at, bool_value, first_member, number_at, with_record};
use ctype::layout::{array_parts, find_member, pointer_target, size_of};
use ctype::{Item, Items, Key, Meaning, Memory, Style, TypeRef, Unavailable, Value};

/// Keys of a node.
const CAPACITY: u64 = 11;
/// A tree of 2^40 elements is no higher.
const MAX_HEIGHT: u64 = 24;

pub(super) fn map(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    of_map("BTreeMap", object.value, Style::Map, memory)
}

pub(super) fn set(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    of_map("BTreeSet", &object.value.member("map")?, Style::Indexed, memory)
}

fn of_map(title: &'static str, map: &Value, style: Style, memory: &mut dyn Memory) -> Option<Meaning> {
    let count = number_at(map, "length", memory).filter(|count| *count <= MAX_COUNT)?;
    let (_, root) = map.member("root")?.variant(memory).ok()??;
    let mut path = Vec::new();
    let mut layout = None;
    if let Some(root) = root.member("__0") {
        let height = number_at(&root, "height", memory).filter(|height| *height <= MAX_HEIGHT)?;
        let node = root.member("node")?;
        let found = Layout::of(&node)?;
        path = found.leftmost(address_in(&node, memory)?, height, memory).ok()?;
        layout = Some(found);
    }
    if count > 0 && layout.is_none() {
        return None;
    }
    let items = Walk { layout, path, left: count, pairs: style == Style::Map };
    let meaning = Meaning { length: Some(count), ..Meaning::empty(true) }.says(title).holds(style, items);
    Some(meaning.fact("is_empty", bool_value(count == 0)))
}

/// Where in a node the parts are.
struct Layout {
    keys: (TypeRef, u64, u64),
    values: (TypeRef, u64, u64),
    len: u64,
    /// The edges lie behind the part that the lowest nodes have, too.
    edges: u64,
}

impl Layout {
    /// Creates a `Layout` from `NonNull<LeafNode<K, V>>`.
    fn of(node: &Value) -> Option<Self> {
        let pointer = first_member(node, &["pointer.pointer", "pointer"])?;
        let leaf = pointer_target(&pointer.ty)?;
        // Keys and values are in `MaybeUninit`s.
        let array = |name: &str| {
            let found = find_member(&leaf, name)?;
            let (element, count) = array_parts(&found.ty)?;
            let inner = initialized(&element)?;
            (count == Some(CAPACITY)).then_some(())?;
            Some((inner, found.offset, size_of(&element)?))
        };
        let len = find_member(&leaf, "len").filter(|len| size_of(&len.ty) == Some(2))?;
        let edges = size_of(&leaf)?.checked_next_multiple_of(8)?;
        Some(Self { keys: array("keys")?, values: array("vals")?, len: len.offset, edges })
    }

    fn len(&self, node: u64, memory: &mut dyn Memory) -> Result<u64, Unavailable> {
        let mut len = [0; 2];
        memory.read(node.wrapping_add(self.len), &mut len)?;
        Some(u64::from(u16::from_le_bytes(len))).filter(|len| *len <= CAPACITY).ok_or_else(damaged)
    }

    fn edge(&self, node: u64, index: u64, memory: &mut dyn Memory) -> Result<u64, Unavailable> {
        word(node.wrapping_add(self.edges).wrapping_add(index * 8), memory)
    }

    /// Finds the nodes from one of some height to the first of the lowest below it, each at its first key.
    fn leftmost(&self, node: u64, height: u64, memory: &mut dyn Memory) -> Result<Vec<(u64, u64, u64)>, Unavailable> {
        let mut path = vec![(node, 0, height)];
        let (mut node, mut height) = (node, height);
        while height > 0 {
            (node, height) = (self.edge(node, 0, memory)?, height - 1);
            path.push((node, 0, height));
        }
        Ok(path)
    }

    fn part(&self, (ty, offset, size): &(TypeRef, u64, u64), node: u64, index: u64) -> Value {
        at(ty.clone(), node.wrapping_add(*offset).wrapping_add(index.wrapping_mul(*size)))
    }
}

/// Returns the type of the value in a `MaybeUninit`.
fn initialized(ty: &TypeRef) -> Option<TypeRef> {
    let held = find_member(ty, "value")?;
    let mut ty = held.ty;
    // `ManuallyDrop`, and since 1.93 `MaybeDangling` in it.
    for name in ["value", "__0"] {
        if let Some(inner) = find_member(&ty, name).filter(|_| is_wrapper(&ty)) {
            ty = inner.ty;
        }
    }
    Some(ty)
}

fn is_wrapper(ty: &TypeRef) -> bool {
    let wraps = |name: &str| {
        ["core::mem::manually_drop::ManuallyDrop<", "core::mem::maybe_dangling::MaybeDangling<"]
            .iter()
            .any(|wrapper| name.starts_with(wrapper))
    };
    with_record(ty, |record| record.name.as_deref().map(wraps)) == Some(true)
}

struct Walk {
    /// `None` for an empty map without nodes.
    layout: Option<Layout>,
    /// Nodes from the root down, each with the number of its next key and its height.
    path: Vec<(u64, u64, u64)>,
    left: u64,
    pairs: bool,
}

impl Items for Walk {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        let (Some(left), Some(layout)) = (self.left.checked_sub(1), &self.layout) else { return Ok(None) };
        // Up to the first node that has a key left; each step up shortens the path.
        let (node, index, height) = loop {
            let Some((node, index, height)) = self.path.pop() else { return Err(damaged()) };
            if index < layout.len(node, memory)? {
                break (node, index, height);
            }
        };
        self.path.push((node, index + 1, height));
        if height > 0 {
            let below = layout.edge(node, index + 1, memory)?;
            self.path.extend(layout.leftmost(below, height - 1, memory)?);
        }
        self.left = left;
        let key = layout.part(&layout.keys, node, index);
        Ok(Some(match self.pairs {
            true => Item { key: Key::Value(key), value: layout.part(&layout.values, node, index) },
            false => Item::plain(key),
        }))
    }
}

//! Elements that are found by following pointers: lists, hash tables, trees.

use super::object::at;
use ctype::{Item, Items, Key, Memory, TypeRef, Unavailable};

/// Levels of a tree that is climbed or descended in one step. A balanced one of 2^40 elements has 80.
const MAX_HEIGHT: usize = 128;

/// How an element is made of what a node holds.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// The element itself.
    Element(TypeRef),
    /// A pair of this type: key and value by the names of its members.
    Pair(TypeRef),
}

impl Held {
    /// Makes the element at an address.
    pub(super) fn item(&self, address: u64) -> Result<Item, Unavailable> {
        match self {
            Self::Element(ty) => Ok(Item::plain(at(ty.clone(), address))),
            Self::Pair(ty) => {
                let pair = at(ty.clone(), address);
                let (key, value) = pair.member("first").zip(pair.member("second")).ok_or_else(damaged)?;
                Ok(Item { key: Key::Value(key), value })
            }
        }
    }

    pub(super) fn ty(&self) -> &TypeRef {
        match self {
            Self::Element(ty) | Self::Pair(ty) => ty,
        }
    }
}

pub(super) fn damaged() -> Unavailable {
    Unavailable::Other("a damaged container".to_owned())
}

pub(super) fn word(address: u64, memory: &mut dyn Memory) -> Result<u64, Unavailable> {
    let mut bytes = [0; 8];
    memory.read(address, &mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Returns whether the word at an address is this one. Nothing contradicts one that was not collected.
pub(super) fn is_word(address: u64, expected: u64, memory: &mut dyn Memory) -> bool {
    match word(address, memory) {
        Ok(word) => word == expected,
        Err(reason) => reason == Unavailable::NotCollected,
    }
}

/// Nodes that point to the next one.
pub(super) struct Linked {
    /// Address of the next node.
    pub(super) node: u64,
    /// What stands in its place after the last one.
    pub(super) end: u64,
    /// Where in a node the pointer to the next one is.
    pub(super) link: u64,
    /// Where in a node the element is.
    pub(super) element: u64,
    pub(super) held: Held,
    /// No more nodes than this follow.
    pub(super) left: u64,
}

impl Items for Linked {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        if self.node == self.end {
            return Ok(None);
        }
        self.left = self.left.checked_sub(1).ok_or_else(damaged)?;
        let item = self.held.item(self.node.wrapping_add(self.element))?;
        // So that an unreadable node is an error before it is an element.
        self.node = word(self.node.wrapping_add(self.link), memory)?;
        Ok(Some(item))
    }
}

/// Where the pointers of a binary tree's node are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) left: u64,
    pub(super) right: u64,
    pub(super) parent: u64,
    pub(super) element: u64,
}

/// The nodes of a binary search tree, in order.
pub(super) struct Tree {
    /// Address of the next node.
    pub(super) at: u64,
    pub(super) node: Node,
    pub(super) held: Held,
    /// How many follow.
    pub(super) left: u64,
}

impl Tree {
    fn successor(&self, memory: &mut dyn Memory) -> Result<u64, Unavailable> {
        let mut at = word(self.at.wrapping_add(self.node.right), memory)?;
        if at != 0 {
            for _ in 0..MAX_HEIGHT {
                match word(at.wrapping_add(self.node.left), memory)? {
                    0 => return Ok(at),
                    left => at = left,
                }
            }
            return Err(damaged());
        }
        let mut below = self.at;
        for _ in 0..MAX_HEIGHT {
            let parent = word(below.wrapping_add(self.node.parent), memory)?;
            if parent == 0 || word(parent.wrapping_add(self.node.right), memory)? != below {
                return Ok(parent);
            }
            below = parent;
        }
        Err(damaged())
    }
}

impl Items for Tree {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        if self.at == 0 {
            return Err(damaged());
        }
        let item = self.held.item(self.at.wrapping_add(self.node.element))?;
        if left > 0 {
            self.at = self.successor(memory)?;
        }
        self.left = left;
        Ok(Some(item))
    }
}

/// Finds the node before another in a binary search tree. The one past the last, which is no element, has the root at
/// its left.
pub(super) fn predecessor(of: u64, node: Node, memory: &mut dyn Memory) -> Option<u64> {
    let link = |at: u64, place: u64, memory: &mut dyn Memory| word(at.checked_add(place)?, memory).ok();
    let mut at = link(of, node.left, memory)?;
    if at != 0 {
        for _ in 0..MAX_HEIGHT {
            match link(at, node.right, memory)? {
                0 => return Some(at),
                right => at = right,
            }
        }
        return None;
    }
    let mut below = of;
    for _ in 0..MAX_HEIGHT {
        let parent = link(below, node.parent, memory).filter(|parent| *parent != 0)?;
        if link(parent, node.left, memory)? != below {
            return Some(parent);
        }
        below = parent;
    }
    None
}

/// Returns where an element is in a node whose own part takes so many bytes.
pub(super) fn element_offset(own: u64, held: &Held) -> Option<u64> {
    let align = ctype::layout::align_of(held.ty()).filter(|align| align.is_power_of_two())?;
    own.checked_next_multiple_of(align)
}

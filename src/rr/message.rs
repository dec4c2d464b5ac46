//! Reading messages in the format Cap'n Proto, packed, as rr writes its traces: as much as those need.
//!
//! <https://capnproto.org/encoding.html>: a message is a number of segments of 8-byte words; a pointer is a word that
//! says how far behind it, or where in another segment, a structure or a list begins. What is wrong is nothing here.

use std::ops::Range;

/// Longest message that is unpacked: the arguments of a program may be 6 MiB, and short ones take more here.
const LIMIT: usize = 16 << 20;
/// Bytes of a word.
const WORD: usize = 8;
/// The kinds of pointers, in their lowest two bits.
const STRUCTURE: u64 = 0;
const LIST: u64 = 1;
const FAR: u64 = 2;
/// Lists of bytes, of pointers and of structures, among the kinds of lists.
const OF_BYTES: u64 = 2;
const OF_POINTERS: u64 = 6;
const OF_STRUCTURES: u64 = 7;

/// A message that was unpacked.
#[derive(Debug)]
pub(super) struct Message {
    bytes: Vec<u8>,
    segments: Vec<Range<usize>>,
}

/// A structure in a message. What it lacks, as its writer knew less, reads as zero or as nothing.
#[derive(Clone, Debug)]
pub(super) struct Structure<'a> {
    message: &'a Message,
    segment: usize,
    data: Range<usize>,
    pointers: Range<usize>,
}

/// What a pointer leads to: the word that says what it is, and where it is.
struct Pointee {
    tag: u64,
    segment: usize,
    word: usize,
}

impl Message {
    /// Unpacks the message that these bytes begin with, and finds its segments.
    pub(super) fn read(packed: &[u8]) -> Option<Self> {
        Self::take(packed).map(|(message, _)| message)
    }

    /// Takes a message from the beginning of packed bytes, with the number of those that it takes. `None`: they are no
    /// message, or not all of one.
    pub(super) fn take(packed: &[u8]) -> Option<(Self, usize)> {
        let (mut rest, mut bytes) = (packed, Vec::new());
        let number = |bytes: &[u8], at: usize| {
            Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize)
        };
        unpack(&mut rest, &mut bytes, WORD)?;
        let count = number(&bytes, 0)?.checked_add(1).filter(|count| *count <= LIMIT / WORD)?;
        let mut from = (4 * (count + 1)).next_multiple_of(WORD);
        unpack(&mut rest, &mut bytes, from)?;
        let mut segments = Vec::new();
        for segment in 0..count {
            let to = from.checked_add(number(&bytes, 4 * (segment + 1))?.checked_mul(WORD)?)?;
            segments.push(from..to);
            from = to;
        }
        unpack(&mut rest, &mut bytes, from)?;
        Some((Self { bytes, segments }, packed.len() - rest.len()))
    }

    /// Returns the structure that the message consists of.
    pub(super) fn root(&self) -> Option<Structure<'_>> {
        let Pointee { tag, segment, word } = self.target(0, 0)?;
        (tag & 3 == STRUCTURE).then(|| self.structure(tag, segment, word))?
    }

    /// Returns the structure at this word, of the size that a pointer to it says.
    fn structure(&self, tag: u64, segment: usize, word: usize) -> Option<Structure<'_>> {
        let data = word..word.checked_add((tag >> 32 & 0xffff) as usize)?;
        let pointers = data.end..data.end.checked_add((tag >> 48) as usize)?;
        self.words(segment, data.start..pointers.end)?;
        Some(Structure { message: self, segment, data, pointers })
    }

    fn words(&self, segment: usize, words: Range<usize>) -> Option<&[u8]> {
        let segment = self.bytes.get(self.segments.get(segment)?.clone())?;
        segment.get(words.start.checked_mul(WORD)?..words.end.checked_mul(WORD)?)
    }

    fn word(&self, segment: usize, at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(self.words(segment, at..at.checked_add(1)?)?.try_into().ok()?))
    }

    /// Follows the pointer in this word. `None`: it leads to nothing.
    fn target(&self, segment: usize, at: usize) -> Option<Pointee> {
        let pointer = self.word(segment, at).filter(|pointer| *pointer != 0)?;
        if pointer & 3 != FAR {
            return near(pointer, segment, at);
        }
        let (segment, at) = far(pointer);
        let landing = self.word(segment, at)?;
        if pointer & 4 == 0 {
            return near(landing, segment, at);
        }
        // The landing says where, and the word behind it what.
        let (tag, (segment, word)) = (self.word(segment, at.checked_add(1)?)?, far(landing));
        (landing & 3 == FAR).then_some(Pointee { tag, segment, word })
    }
}

/// Follows a pointer to something behind it, or before it, in its own segment.
fn near(pointer: u64, segment: usize, at: usize) -> Option<Pointee> {
    let distance = isize::try_from(pointer as u32 as i32 >> 2).ok()?;
    let word = at.checked_add(1)?.checked_add_signed(distance)?;
    (pointer & 3 != FAR).then_some(Pointee { tag: pointer, segment, word })
}

/// Returns the segment and the word that a far pointer names.
fn far(pointer: u64) -> (usize, usize) {
    ((pointer >> 32) as usize, (pointer as u32 >> 3) as usize)
}

impl<'a> Structure<'a> {
    /// Returns the number of so many bytes, at most 8, at this offset of the data.
    pub(super) fn number(&self, offset: usize, size: usize) -> u64 {
        let data = self.message.words(self.segment, self.data.clone()).unwrap_or_default();
        let bytes = data.get(offset..offset.saturating_add(size)).unwrap_or_default();
        bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Returns whether the bit of this number, from the start of the data, is set.
    pub(super) fn bit(&self, number: usize) -> bool {
        self.number(number / 8, 1) >> (number % 8) & 1 != 0
    }

    /// Returns the list of bytes that the pointer of this number leads to.
    pub(super) fn bytes(&self, pointer: usize) -> &'a [u8] {
        self.list(pointer, OF_BYTES)
            .and_then(|Pointee { tag, segment, word }| {
                let length = (tag >> 35) as usize;
                self.message.words(segment, word..word.checked_add(length.div_ceil(WORD))?)?.get(..length)
            })
            .unwrap_or_default()
    }

    /// Returns the structure that the pointer of this number leads to.
    pub(super) fn structure(&self, pointer: usize) -> Option<Structure<'a>> {
        let Pointee { tag, segment, word } = self.target(pointer)?;
        (tag & 3 == STRUCTURE).then(|| self.message.structure(tag, segment, word))?
    }

    /// Returns the lists of bytes in the list that the pointer of this number leads to.
    pub(super) fn lists_of_bytes(&self, pointer: usize) -> Vec<&'a [u8]> {
        let lists = || {
            let Pointee { tag, segment, word } = self.list(pointer, OF_POINTERS)?;
            let pointers = word..word.checked_add((tag >> 35) as usize)?;
            self.message.words(segment, pointers.clone())?;
            let count = pointers.len();
            let list = Structure { message: self.message, segment, data: word..word, pointers };
            // Pointers may all lead to the same bytes, which no writer has them do.
            let mut room = self.message.bytes.len();
            let mut lists = Vec::new();
            for bytes in (0..count).map(|number| list.bytes(number)) {
                room = room.checked_sub(bytes.len())?;
                lists.push(bytes);
            }
            Some(lists)
        };
        lists().unwrap_or_default()
    }

    /// Returns the structures in the list that the pointer of this number leads to.
    pub(super) fn structures(&self, pointer: usize) -> Vec<Structure<'a>> {
        let structures = || {
            let Pointee { tag, segment, word } = self.list(pointer, OF_STRUCTURES)?;
            let (size, first) = ((tag >> 35) as usize, word.checked_add(1)?);
            // Before the first stands how many there are, and how large each is.
            let each = self.message.word(segment, word)?;
            let words = ((each >> 32 & 0xffff) + (each >> 48)) as usize;
            let count = (each as u32 >> 2) as usize;
            // Without a size there could be any number of them.
            (words > 0 && count.checked_mul(words)? <= size).then_some(())?;
            (0..count)
                .map(|number| self.message.structure(each, segment, first.checked_add(number * words)?))
                .collect::<Option<Vec<_>>>()
        };
        structures().unwrap_or_default()
    }

    fn target(&self, pointer: usize) -> Option<Pointee> {
        let at = self.pointers.start.checked_add(pointer).filter(|at| self.pointers.contains(at))?;
        self.message.target(self.segment, at)
    }

    /// Returns what the pointer of this number leads to, if that is a list of this kind.
    fn list(&self, pointer: usize, kind: u64) -> Option<Pointee> {
        self.target(pointer).filter(|Pointee { tag, .. }| tag & 3 == LIST && tag >> 32 & 7 == kind)
    }
}

/// Unpacks until there are so many bytes.
///
/// Each word is packed as a byte that says which of its bytes are not zero, and these. Behind a word of zeros comes the
/// number of more of them; behind one without a zero the number of words that follow as they are.
fn unpack(rest: &mut &[u8], bytes: &mut Vec<u8>, until: usize) -> Option<()> {
    (until <= LIMIT).then_some(())?;
    while bytes.len() < until {
        match *rest.split_off_first()? {
            0 => {
                let more = usize::from(*rest.split_off_first()?);
                bytes.resize(bytes.len() + WORD * (1 + more), 0);
            }
            0xff => {
                bytes.extend_from_slice(rest.split_off(..WORD)?);
                let more = usize::from(*rest.split_off_first()?);
                bytes.extend_from_slice(rest.split_off(..WORD * more)?);
            }
            tag => {
                let mut word = [0; WORD];
                for (bit, byte) in word.iter_mut().enumerate() {
                    if tag >> bit & 1 != 0 {
                        *byte = *rest.split_off_first()?;
                    }
                }
                bytes.extend_from_slice(&word);
            }
        }
    }
    Some(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Packs, though not as tightly as could be.
    pub(crate) fn pack(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| [vec![0xff], word.to_le_bytes().to_vec(), vec![0]].concat()).collect()
    }

    /// Returns a pointer to a structure of these words of data, with these pointers.
    fn structure(data: u64, pointers: u64, distance: u64) -> u64 {
        distance << 2 | data << 32 | pointers << 48
    }

    fn list_of_bytes(length: u64, distance: u64) -> u64 {
        LIST | distance << 2 | OF_BYTES << 32 | length << 35
    }

    fn far_to(segment: u64, word: u64, is_double: bool) -> u64 {
        FAR | u64::from(is_double) << 2 | word << 3 | segment << 32
    }

    /// Returns the table of segments of these lengths, with which a message begins.
    fn table(lengths: &[u64]) -> Vec<u64> {
        let mut halves: Vec<u64> = std::iter::once(lengths.len() as u64 - 1).chain(lengths.iter().copied()).collect();
        halves.resize(halves.len().next_multiple_of(2), 0);
        halves.chunks(2).map(|pair| pair[0] | pair[1] << 32).collect()
    }

    #[test]
    fn packed_words_are_unpacked_as_the_format_says() {
        // The example of the format's description.
        let packed = [0x51, 0x08, 0x03, 0x02, 0x31, 0x19, 0xaa, 0x01];
        let plain = [8, 0, 0, 0, 3, 0, 2, 0, 0x19, 0, 0, 0, 0xaa, 1, 0, 0];
        let all = |mut packed: &[u8], length| {
            let mut bytes = Vec::new();
            unpack(&mut packed, &mut bytes, length).filter(|()| packed.is_empty()).map(|()| bytes)
        };
        assert_eq!(all(&packed, 16), Some(plain.to_vec()));
        assert_eq!(all(&[0, 2], 24), Some(vec![0; 24]));
        assert_eq!(all(&pack(&[u64::MAX, 7]), 16), Some([[0xff; 8], 7u64.to_le_bytes()].concat()));
        assert_eq!(all(&[0xff, 1, 2, 3, 4, 5, 6, 7, 8, 1, 9], 16), None, "cut off");
        assert_eq!(all(&[0x03, 1], 8), None, "cut off");
        assert_eq!(all(&[0, 255].repeat(8200), 16_793_600), None, "too long");
    }

    #[test]
    fn numbers_and_lists_are_read_and_what_is_not_there_is_zero() {
        let words =
            [table(&[5]), vec![structure(2, 1, 0), 0x0102_0304_0506_0708, 1 << 33, list_of_bytes(5, 0)]].concat();
        let packed = pack(&[words, vec![u64::from_le_bytes(*b"hello\0\0\0")]].concat());
        let message = Message::read(&packed).unwrap();
        let root = message.root().unwrap();
        assert_eq!((root.number(0, 8), root.number(6, 2)), (0x0102_0304_0506_0708, 0x0102));
        assert_eq!((root.number(15, 2), root.number(usize::MAX, 8)), (0, 0));
        assert!(root.bit(64 + 33) && !root.bit(64 + 32) && !root.bit(500));
        assert_eq!((root.bytes(0), root.bytes(1)), (&b"hello"[..], &b""[..]));
    }

    #[test]
    fn what_lies_in_another_segment_is_found() {
        let hello = u64::from_le_bytes(*b"hello\0\0\0");
        for (pointer, second, third) in [
            (far_to(1, 0, false), vec![list_of_bytes(5, 0), hello], vec![]),
            (far_to(1, 0, true), vec![far_to(2, 0, false), list_of_bytes(5, 0)], vec![hello]),
        ] {
            let first = vec![structure(0, 1, 0), pointer];
            let table = table(&[2, 2, third.len() as u64]);
            let message = Message::read(&pack(&[table, first, second, third].concat())).unwrap();
            assert_eq!(message.root().unwrap().bytes(0), b"hello");
        }
    }

    #[test]
    fn pointers_that_lead_nowhere_lead_to_nothing() {
        let root = |pointer: u64| {
            let packed = pack(&[table(&[2]), vec![structure(0, 1, 0), pointer]].concat());
            Message::read(&packed).unwrap().root().unwrap().bytes(0).len()
        };
        for pointer in [0, structure(0, 0, 0), list_of_bytes(9, 7), far_to(7, 0, false), far_to(0, 1, true), u64::MAX] {
            assert_eq!(root(pointer), 0, "{pointer:#x}");
        }
        assert!(Message::read(&pack(&table(&[9]))).is_none(), "a missing segment");
        assert!(Message::read(&[]).is_none());
    }

    proptest! {
        #[test]
        fn no_words_make_it_panic(words in prop::collection::vec(any::<u64>(), 0..9), small in any::<bool>()) {
            let table = if small { table(&[words.len() as u64]) } else { vec![] };
            if let Some(message) = Message::read(&pack(&[table, words].concat()))
                && let Some(root) = message.root()
            {
                let _ = (root.number(0, 8), root.bit(33), root.bytes(0), root.bytes(1));
            }
        }

        #[test]
        fn no_bytes_make_it_panic(packed in prop::collection::vec(any::<u8>(), 0..60)) {
            drop(Message::read(&packed));
        }
    }
}

//! Framing: `$` payload `#` checksum, and the few bytes that live between packets. Pure: bytes in, packets out.
//!
//! The payload is escaped with `}` (the next byte is XORed with 0x20). The protocol's run-length encoding (`0*"`: a
//! byte, `*`, and a character that is 29 more than how often the byte is repeated) is expanded only for servers that
//! are no rr: rr never produces it, and an unescaped `*` in one of its replies is data.

use super::hex;
use bytes::{Buf, BytesMut};

/// The byte, outside any packet, that interrupts a running target.
pub(super) const INTERRUPT: u8 = 0x03;

/// The longest packet that a [`Decoder`] accepts, in bytes. The client asks for memory in pieces far smaller than this.
pub(super) const LONGEST_PACKET: usize = 64 << 20;

/// Something that the peer sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A packet whose checksum is right; escapes undone.
    Packet(Vec<u8>),
    /// `+`: the last packet arrived. Only before no-acknowledgement mode.
    Ack,
    /// `-`: the last packet was damaged.
    Nack,
}

/// Bytes that are not the protocol. The stream cannot be trusted after one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FrameError {
    /// The two digits after `#` do not match the payload.
    #[error("checksum {found:02x} of a packet that sums to {summed:02x}")]
    Checksum {
        /// What the packet says.
        found: u8,
        /// What it adds up to.
        summed: u8,
    },
    /// The two bytes after `#` are not hexadecimal.
    #[error("a packet without a hexadecimal checksum")]
    NoChecksum,
    /// A payload that ends in the escape byte.
    #[error("a packet that ends in the middle of an escape")]
    DanglingEscape,
    /// A `*` with nothing to repeat before it, or without a count behind it.
    #[error("a run of nothing, or without a count")]
    BadRun,
    /// No `#` within the bound.
    #[error("a packet of more than {LONGEST_PACKET} bytes")]
    TooLong,
}

/// Turns received bytes into [`Frame`]s, however they are cut up.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// Bytes that are not consumed yet. Starts at a frame or at junk before one.
    pending: BytesMut,
    /// How much of `pending` is known to contain no `#`, so that a long packet is searched once.
    searched: usize,
    /// Whether replies have runs.
    pub(super) runs: bool,
}

impl Decoder {
    /// Takes bytes as they came from the wire.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Takes the next whole frame, if there is one.
    pub(super) fn next_frame(&mut self) -> Option<Result<Frame, FrameError>> {
        loop {
            match *self.pending.first()? {
                b'+' => {
                    self.pending.advance(1);
                    return Some(Ok(Frame::Ack));
                }
                b'-' => {
                    self.pending.advance(1);
                    return Some(Ok(Frame::Nack));
                }
                b'$' => return self.packet().map(|packet| packet.map(Frame::Packet)),
                // A notification is framed like a packet, needs no acknowledgement and means nothing to this client.
                b'%' => match self.packet()? {
                    Ok(_) => {}
                    Err(e) => return Some(Err(e)),
                },
                _ => self.skip_junk(),
            }
        }
    }

    /// Drops everything before the next byte that can start a frame.
    fn skip_junk(&mut self) {
        let junk = self.pending.iter().position(|b| matches!(b, b'+' | b'-' | b'$' | b'%'));
        self.pending.advance(junk.unwrap_or(self.pending.len()));
    }

    /// Takes the packet that starts at the first pending byte.
    fn packet(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        let from = self.searched.clamp(1, self.pending.len().max(1));
        let Some(found) = memchr::memchr(b'#', self.pending.get(from..)?) else {
            self.searched = self.pending.len();
            return (self.pending.len() > LONGEST_PACKET).then_some(Err(FrameError::TooLong));
        };
        let hash = from + found;
        let Some(&[high, low]) = self.pending.get(hash + 1..hash + 3) else {
            self.searched = hash;
            return None;
        };
        self.searched = 0;
        let raw = self.pending.split_to(hash + 3);
        let plain = check(&raw[1..hash], high, low);
        Some(plain.and_then(|()| if self.runs { expand(&raw[1..hash]) } else { unescape(&raw[1..hash]) }))
    }
}

fn check(raw: &[u8], high: u8, low: u8) -> Result<(), FrameError> {
    if raw.len() > LONGEST_PACKET {
        return Err(FrameError::TooLong);
    }
    let found = hex::byte(high, low).ok_or(FrameError::NoChecksum)?;
    let summed = checksum(raw);
    if found != summed {
        return Err(FrameError::Checksum { found, summed });
    }
    Ok(())
}

/// Undoes escapes and runs.
fn expand(raw: &[u8]) -> Result<Vec<u8>, FrameError> {
    let mut plain: Vec<u8> = Vec::with_capacity(raw.len());
    let mut rest = raw.iter();
    while let Some(&byte) = rest.next() {
        match byte {
            b'}' => plain.push(rest.next().ok_or(FrameError::DanglingEscape)? ^ 0x20),
            b'*' => {
                let count = rest.next().and_then(|count| count.checked_sub(29)).ok_or(FrameError::BadRun)?;
                let last = *plain.last().ok_or(FrameError::BadRun)?;
                plain.resize(plain.len() + usize::from(count), last);
            }
            plain_byte => plain.push(plain_byte),
        }
        if plain.len() > LONGEST_PACKET {
            return Err(FrameError::TooLong);
        }
    }
    Ok(plain)
}

fn unescape(raw: &[u8]) -> Result<Vec<u8>, FrameError> {
    let mut plain = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'}', rest) {
        plain.extend_from_slice(&rest[..at]);
        plain.push(rest.get(at + 1).ok_or(FrameError::DanglingEscape)? ^ 0x20);
        rest = &rest[at + 2..];
    }
    plain.extend_from_slice(rest);
    Ok(plain)
}

/// Returns the sum of the bytes between `$` and `#`, modulo 256.
fn checksum(raw: &[u8]) -> u8 {
    raw.iter().fold(0, |sum, b| sum.wrapping_add(*b))
}

/// Appends a packet to `wire`, framed and escaped.
pub(super) fn encode(payload: &[u8], wire: &mut Vec<u8>) {
    wire.push(b'$');
    let start = wire.len();
    for &b in payload {
        if matches!(b, b'$' | b'#' | b'}' | b'*') {
            wire.extend_from_slice(&[b'}', b ^ 0x20]);
        } else {
            wire.push(b);
        }
    }
    let sum = checksum(&wire[start..]);
    wire.push(b'#');
    wire.extend_from_slice(hex::encode(&[sum]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn framed(payload: &[u8]) -> Vec<u8> {
        let mut wire = Vec::new();
        encode(payload, &mut wire);
        wire
    }

    fn frames(chunks: &[&[u8]]) -> Vec<Result<Frame, FrameError>> {
        let mut decoder = Decoder::default();
        let mut out = Vec::new();
        for chunk in chunks {
            decoder.feed(chunk);
            while let Some(frame) = decoder.next_frame() {
                out.push(frame);
            }
        }
        out
    }

    fn packet(payload: &[u8]) -> Result<Frame, FrameError> {
        Ok(Frame::Packet(payload.to_vec()))
    }

    #[test]
    fn encodes_with_the_checksums_that_are_seen_on_the_wire() {
        assert_eq!(framed(b"vCont;c"), b"$vCont;c#a8");
        assert_eq!(framed(b"?"), b"$?#3f");
        assert_eq!(framed(b""), b"$#00");
    }

    #[test]
    fn escapes_what_would_end_a_packet() {
        assert_eq!(&framed(b"a#$}*b")[1..11], b"a}\x03}\x04}\x5d}\x0ab");
    }

    #[test]
    fn a_star_in_a_reply_is_data_and_not_a_repeat_count() {
        assert_eq!(frames(&[b"$0* #7a"]), [packet(b"0* ")]);
    }

    #[test]
    fn runs_are_expanded_where_there_are_some() {
        assert_eq!(expand(b"0* 1"), Ok(b"00001".to_vec()));
        assert_eq!(expand(b"}\x0a* "), Ok(b"****".to_vec()));
        assert_eq!(expand(b"ab"), Ok(b"ab".to_vec()));
        for bad in [b"* ".as_slice(), b"0*", b"0*\x05"] {
            assert_eq!(expand(bad), Err(FrameError::BadRun), "{bad:?}");
        }
        assert_eq!(expand(&[b"0".as_slice(), &b"*~".repeat(1 << 20)].concat()), Err(FrameError::TooLong));
        let mut decoder = Decoder { runs: true, ..Decoder::default() };
        decoder.feed(b"$0* #7a");
        assert_eq!(decoder.next_frame(), Some(packet(b"0000")));
    }

    #[test]
    fn acknowledgements_and_junk_between_packets_are_told_apart() {
        assert_eq!(frames(&[b"\x03z+$OK#9a-"]), [Ok(Frame::Ack), packet(b"OK"), Ok(Frame::Nack)]);
    }

    #[test]
    fn a_notification_is_skipped() {
        assert_eq!(frames(&[b"%Stop:T05#99$OK#9a"]), [packet(b"OK")]);
    }

    #[test]
    fn a_packet_may_come_byte_by_byte() {
        let bytes: Vec<[u8; 1]> = b"+$OK#9a".iter().map(|b| [*b]).collect();
        let chunks: Vec<&[u8]> = bytes.iter().map(|b| &b[..]).collect();
        assert_eq!(frames(&chunks), [Ok(Frame::Ack), packet(b"OK")]);
    }

    #[test]
    fn a_wrong_checksum_is_an_error_and_the_next_packet_is_found() {
        assert_eq!(
            frames(&[b"$OK#9b$OK#9a"]),
            [Err(FrameError::Checksum { found: 0x9b, summed: 0x9a }), packet(b"OK")]
        );
        assert_eq!(frames(&[b"$OK#zz"]), [Err(FrameError::NoChecksum)]);
        assert_eq!(frames(&[b"$}#7d"]), [Err(FrameError::DanglingEscape)]);
    }

    #[test]
    fn eight_mebibytes_in_small_pieces_take_linear_time() {
        let payload: Vec<u8> = (0..8usize << 20).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let wire = framed(&payload);
        let started = Instant::now();
        let mut decoder = Decoder::default();
        let mut got = None;
        for piece in wire.chunks(1400) {
            decoder.feed(piece);
            got = got.or(decoder.next_frame());
        }
        assert_eq!(got, Some(packet(&payload)));
        // Searching from the start after every piece would look at 25 GB: minutes in a debug build.
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }

    #[test]
    fn a_packet_without_an_end_is_given_up_at_the_bound() {
        let mut decoder = Decoder::default();
        decoder.feed(b"$");
        let filler = vec![b'x'; 1 << 20];
        for _ in 0..(LONGEST_PACKET >> 20) - 1 {
            decoder.feed(&filler);
            assert_eq!(decoder.next_frame(), None);
        }
        decoder.feed(&filler);
        assert_eq!(decoder.next_frame(), Some(Err(FrameError::TooLong)));
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding_under_every_chunking(
            payloads in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..60), 1..5),
            cuts in proptest::collection::vec(1usize..9, 1..40),
        ) {
            let wire: Vec<u8> = payloads.iter().flat_map(|p| framed(p)).collect();
            let mut chunks: Vec<&[u8]> = Vec::new();
            let mut rest = &wire[..];
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (head, tail) = rest.split_at((*cut).min(rest.len()));
                chunks.push(head);
                rest = tail;
            }
            let expected: Vec<_> = payloads.iter().map(|p| packet(p)).collect();
            prop_assert_eq!(frames(&chunks), expected);
        }

        #[test]
        fn arbitrary_bytes_never_panic_and_chunking_makes_no_difference(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'$'), Just(b'#'), Just(b'}'), Just(b'%'), Just(b'a')], 0..200),
            cut in 0usize..200,
        ) {
            let cut = cut.min(bytes.len());
            prop_assert_eq!(frames(&[&bytes]), frames(&[&bytes[..cut], &bytes[cut..]]));
        }
    }
}

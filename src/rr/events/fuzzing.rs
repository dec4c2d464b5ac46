//! What stands in a trace, damaged.

use super::buffered;
use super::chunks::Chunks;
use super::frame::Frame;
use super::mapped::Mapped;
use super::messages::Messages;
use super::task::Task;
use crate::fuzz::{self, Target};
use crate::message::Message;
use crate::message::tests::pack;
use crate::{manifest, trace_header};
use std::io::Cursor;
use std::path::Path;

/// Numbers and pointers as an event has them: data, a list of structures, a list of bytes.
fn messages() -> Vec<Vec<u8>> {
    let structure = |data: u64, pointers: u64| data << 32 | pointers << 48;
    let list = |kind: u64, length: u64, distance: u64| 1 | distance << 2 | kind << 32 | length << 35;
    let data = [0x1234_0000_0001_0005, 7, 100, 0x0004_0000_0001, 0x4000_0000_0000, 5, 6, 7, 8, 9, 10];
    let few = [&[18 << 32, structure(11, 4)], &data[..], &[0, list(2, 5, 2), 0, 0], &[0x6f_6c6c_6568]].concat();
    let (each, count) = (structure(2, 1), 2 << 2);
    let lists = [
        &[22 << 32, structure(11, 1)],
        &data[..],
        &[list(7, 6, 0), count | each, 1, 2, 0, 3, 4, 0],
        &[u64::from_le_bytes(*b"hello\0\0\0")],
    ];
    let pointers = [&[20 << 32, structure(11, 2)], &data[..], &[0, list(6, 2, 0), list(2, 3, 1), list(2, 3, 1), 0, 7]];
    [few, lists.concat(), pointers.concat()].iter().map(|words| pack(words)).collect()
}

#[test]
fn fuzz_messages_of_traces() {
    let target = Target {
        name: "messages of traces",
        seeds: messages(),
        dictionary: &[b"\0\xff", b"\xff", b"\0", b"\xff\0\0\0\0\0\0\0\0\0", b"\x10\x02", b"\x01\x01"],
    };
    target.run(|input, _| {
        let Some((message, taken)) = Message::take(input) else { return };
        assert!(taken <= input.len());
        let _ = (Frame::read(&message), Task::read(&message), Mapped::read(&message, Path::new("/trace")));
        if let Some(root) = message.root() {
            for pointer in 0..5 {
                root.bytes(pointer);
                root.lists_of_bytes(pointer);
                for structure in root.structures(pointer).iter().take(8) {
                    structure.number(0, 8);
                    structure.bytes(0);
                }
            }
        }
    });
}

#[test]
fn fuzz_headers_and_manifests_of_traces() {
    let header = [&b"85\n"[..], &messages()[0]].concat();
    let target = Target {
        name: "headers and manifests of traces",
        seeds: [vec![header], fuzz::texts(&["# how retrograde replays this recording\nversion=1\ncounters=soft\nrr=5.9.0\ncommand=a\\nb\nrecorded=1700000000\nexit=-11\nevents=77\n"])].concat(),
        dictionary: &[b"85\n", b"version=", b"counters=", b"events=", b"recorded=", b"exit=", b"=", b"\n", b"#", b"\\", b"-1", b"\xff"],
    };
    target.run(|input, _| {
        let _ = trace_header::Header::parse(input);
        let _ = manifest::parse(&fuzz::text(input));
    });
}

#[test]
fn fuzz_streams_of_traces() {
    // Bytes that are stored, and thousands of zeros.
    let stored = |bytes: &[u8]| {
        let length = bytes.len();
        let head = (length as u32 - 1) << 7 | 0x80_000b;
        [&head.to_le_bytes()[..3], bytes, &[3]].concat()
    };
    let chunk = |bytes: &[u8]| {
        let compressed = stored(bytes);
        [&(compressed.len() as u32).to_le_bytes()[..], &(bytes.len() as u32).to_le_bytes(), &compressed].concat()
    };
    let whole: Vec<Vec<u8>> = messages().iter().map(|message| chunk(message)).collect();
    let (one, other) = (messages().concat(), messages().concat());
    let split = [chunk(&one[..50]), chunk(&one[50..]), chunk(&other[..1]), chunk(&other[1..])].concat();
    let target = Target {
        name: "streams of traces",
        seeds: [whole, vec![split]].concat(),
        dictionary: &[
            b"\x09\0\0\0\x05\0\0\0\x0b\x02\x80hello\x03",
            b"\x01\0\0\0\0\0\0\0\x06",
            b"\0\0\0\0",
            b"\xff\xff\xff\x7f",
        ],
    };
    target.run(|input, random| {
        let chunks = || Chunks::of(Cursor::new(input.to_vec()), Path::new("/trace"), "events");
        if random.below(2) == 0 {
            let mut messages = Messages::of(chunks());
            while let Ok(Some(message)) = messages.next() {
                let _ = Frame::read(&message);
            }
        } else {
            let mut chunks = chunks();
            while let Ok(Some(chunk)) = chunks.next() {
                if let Ok(bytes) = chunks.bytes(&chunk) {
                    buffered::records(&bytes, 30);
                }
            }
        }
    });
}

/// A name of a megabyte takes a few bytes when it is compressed, and so do thousands of these.
#[test]
fn text_without_end_is_damage() {
    let mut messages = Messages::of(Chunks::of(Cursor::new(Vec::new()), Path::new("/trace"), "mmaps"));
    for _ in 0..512 {
        messages.keep(1 << 20).unwrap();
    }
    let error = messages.keep(1).unwrap_err().to_string();
    assert!(error.contains("its file `mmaps` has more text than rr writes"), "{error}");
}

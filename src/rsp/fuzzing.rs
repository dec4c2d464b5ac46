//! Packets and descriptions of registers, damaged.

use super::codec::{Decoder, encode};
use super::{reply, target_xml};
use crate::fuzz::{self, Target};
use std::collections::BTreeMap;

fn framed(payload: &str) -> Vec<u8> {
    let mut wire = Vec::new();
    encode(payload.as_bytes(), &mut wire);
    wire
}

#[test]
fn fuzz_rsp_packets() {
    let payloads = [
        "PacketSize=100000;QStartNoAckMode+;multiprocess+;QPassSignals+;ReverseContinue+;ReverseStep+",
        "T05thread:p10.10;swbreak:;",
        "T05watch:601040;thread:p1a2b.1a2c;replaylog:begin;06:0102030405060708;",
        "W00;process:10",
        "X0b",
        "S05",
        "QCp10.10",
        "mp10.10,p10.11,p-1.-1",
        "00000000000000100000000000000010xxxxxxxx",
        "F-1,2",
        "F5;hello",
        "l<target/>",
        "m<target/>",
        "b\u{1}}]*\"0# ",
        "E0e",
    ];
    let target = Target {
        name: "RSP",
        seeds: payloads.iter().map(|payload| framed(payload)).collect(),
        dictionary: &[
            b"$",
            b"#",
            b"#00",
            b"}",
            b"*",
            b"*~",
            b"+",
            b"-",
            b"%",
            b"thread:",
            b"p",
            b"-1",
            b";",
            b",",
            b"ffffffffffffffff",
            b"PacketSize=",
            b"watch:",
            b"F",
            b"E01",
            b"l",
            b"m",
            b"\x03",
        ],
    };
    target.run(|input, random| {
        let mut decoder = Decoder::default();
        let (first, second) = input.split_at(random.below(input.len() + 1));
        let mut payloads = Vec::new();
        for part in [first, second] {
            decoder.feed(part);
            while let Some(frame) = decoder.next_frame() {
                if let Ok(super::codec::Frame::Packet(payload)) = frame {
                    payloads.push(payload.to_vec());
                }
            }
        }
        // What has a wrong checksum is a reply all the same, for what reads those.
        payloads.push(input.iter().copied().skip(1).take_while(|byte| *byte != b'#').collect());
        for payload in payloads {
            let _ = reply::ok(&payload);
            let _ = reply::features(&payload);
            let _ = reply::current_thread(&payload);
            let _ = reply::thread_list(&payload);
            let _ = reply::stop(&payload, Some(1));
            let _ = reply::registers(&payload);
            let _ = reply::memory(&payload);
            let _ = reply::memory_binary(&payload);
            let _ = reply::file_number(&payload);
            let _ = reply::file_bytes(&payload);
            let _ = reply::transfer(&payload);
            let _ = reply::text(&payload);
        }
    });
}

#[test]
fn fuzz_target_xml() {
    let target = Target {
        name: "target.xml",
        seeds: fuzz::texts(&[
            "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target><architecture>i386:x86-64\
             </architecture><xi:include href=\"64bit-core.xml\"/></target>",
            "<target><architecture>i386:x86-64</architecture><feature name=\"f\"><flags id=\"i386_eflags\" size=\"4\">\
             <field name=\"CF\" start=\"0\" end=\"0\"/></flags><reg name=\"rsp\" bitsize=\"64\" type=\"data_ptr\" \
             regnum=\"7\"/><reg name=\"rip\" bitsize=\"64\" type=\"code_ptr\" regnum=\"16\"/></feature></target>",
            "<feature name=\"f\"><!-- a comment --><vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/><union id=\"u\">\
             <field name=\"a\" type=\"v4f\"/></union><reg name=\"xmm0\" bitsize=\"128\" type=\"u\" regnum=\"40\"/></feature>",
        ]),
        dictionary: &[
            b"<",
            b">",
            b"/>",
            b"</",
            b"\"",
            b"'",
            b"<!--",
            b"-->",
            b"<?",
            b"?>",
            b"<![CDATA[",
            b"]]>",
            b"&lt;",
            b"&#x0;",
            b"&",
            b"<reg name=\"a\" bitsize=\"",
            b"regnum=\"4294967295\"",
            b"bitsize=\"64\"",
            b"<xi:include href=\"target.xml\"/>",
            b"<xi:include href=\"other.xml\"/>",
            b"<target>",
            b"</target>",
        ],
    };
    target.run(|input, random| {
        let text = fuzz::text(input).into_owned();
        let _ = target_xml::includes(&text);
        let split = (0..=random.below(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (one, other) = text.split_at(split);
        let files = [("target.xml", one), ("other.xml", other), ("64bit-core.xml", &text)];
        let files: BTreeMap<String, String> =
            files.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let _ = target_xml::layout(&files);
    });
}

use super::*;
use flate2::Compression;
use proptest::prelude::*;
use std::io::{Read, Write};

fn compress(plain: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// All of a stream, and the points before its blocks with their windows.
type Decompressed = (Vec<u8>, Vec<(Point, Vec<u8>)>);

fn decompress(data: &[u8], size: u64) -> Result<Decompressed, Broken> {
    let (mut plain, mut points) = (Vec::new(), Vec::new());
    let mut inflater = Inflater::new(data, size)?;
    while inflater.block(&mut |piece| plain.extend_from_slice(piece))? {
        inflater.flush(&mut |piece| plain.extend_from_slice(piece))?;
        assert_eq!(inflater.made(), plain.len() as u64);
        let (point, window) = inflater.point();
        points.push((point, window.to_vec()));
    }
    inflater.flush(&mut |piece| plain.extend_from_slice(piece))?;
    inflater.finish().map(|()| (plain, points))
}

/// What another library makes of it.
fn expected(data: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    flate2::read::ZlibDecoder::new(data).read_to_end(&mut plain).ok()?;
    (plain.len() == size).then_some(plain)
}

/// Bytes that compress in all the ways there are: runs, repetitions near and far, noise.
fn plain() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        (any::<u8>(), 1..2000usize).prop_map(|(byte, times)| vec![byte; times]),
        (prop::collection::vec(any::<u8>(), 1..20), 1..300usize).prop_map(|(bytes, times)| bytes.repeat(times)),
        prop::collection::vec(any::<u8>(), 0..3000),
        prop::collection::vec(0..4u8, 0..3000),
    ];
    (prop::collection::vec(part, 0..12), 1..8usize).prop_map(|(parts, times)| parts.concat().repeat(times))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_was_packed_is_unpacked(plain in plain(), level in 0..10u32) {
        let compressed = compress(&plain, level);
        let (decompressed, points) = decompress(&compressed, plain.len() as u64).unwrap();
        prop_assert!(decompressed == plain);
        for (point, window) in points {
            let from = point.output as usize;
            prop_assert!(plain[..from].ends_with(&window));
            prop_assert_eq!(window.len(), from.min(WINDOW));
            let mut rest = Vec::new();
            let mut inflater = Inflater::resume(&compressed, point, &window, (plain.len() - from) as u64).unwrap();
            while inflater.block(&mut |piece| rest.extend_from_slice(piece)).unwrap() {}
            inflater.flush(&mut |piece| rest.extend_from_slice(piece)).unwrap();
            prop_assert_eq!(inflater.finish(), Ok(()));
            prop_assert!(rest == plain[from..]);
        }
    }

    #[test]
    fn damaged_streams_are_refused_as_others_refuse_them(
        plain in plain(),
        level in 0..10u32,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut compressed = compress(&plain, level);
        for (at, byte) in damage {
            let at = at.index(compressed.len());
            compressed[at] = byte;
        }
        if let Some(cut) = cut {
            compressed.truncate(cut.index(compressed.len()));
        }
        let decompressed = decompress(&compressed, plain.len() as u64).ok().map(|(plain, _)| plain);
        prop_assert!(decompressed == expected(&compressed, plain.len()));
    }

    #[test]
    fn noise_is_refused_or_unpacked_as_others_do(noise in prop::collection::vec(any::<u8>(), 0..300)) {
        let data = [&[0x78, 0x9c][..], &noise].concat();
        let decompressed = decompress(&data, 1 << 20).ok().map(|(plain, _)| plain);
        prop_assert_eq!(decompressed, expected(&data, 1 << 20));
    }
}

#[test]
fn a_stream_that_expands_to_another_size_is_refused() {
    let plain = vec![1; 1_000_000];
    let compressed = compress(&plain, 6);
    assert!(decompress(&compressed, 1_000_000).is_ok());
    assert_eq!(decompress(&compressed, 999_999).err(), Some(Broken));
    assert_eq!(decompress(&compressed, 1_000_001).err(), Some(Broken));
}

#[test]
fn what_is_behind_a_stream_does_not_matter() {
    let plain = b"some text, some more text".repeat(10);
    for padding in 0..20 {
        let compressed = [compress(&plain, 6), vec![0xff; padding]].concat();
        assert_eq!(decompress(&compressed, plain.len() as u64).unwrap().0, plain);
    }
}

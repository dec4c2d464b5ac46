//! Compressed data (zlib, or zstd as of RFC 8878), decompressed piece by piece, so that nothing else need be in memory,
//! and whoever does not want the rest need not wait for it.

use crate::compressed::inflate::Inflater;
use object::read::CompressionFormat;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// So much of zstd's is handed over at a time.
const PIECE: usize = 1 << 18;

/// The data is none of its format, or expands to another size than it should. Says what it is not.
pub(crate) type Broken = &'static str;

/// Decompresses all of it. `take` is called with pieces of what was compressed, `read` now and then with how much of
/// the data has been read.
pub(crate) fn decompress(
    format: CompressionFormat,
    data: &[u8],
    size: u64,
    take: &mut dyn FnMut(&[u8]),
    read: &mut dyn FnMut(usize),
) -> Result<(), Broken> {
    match format {
        CompressionFormat::Zlib => zlib(data, size, take, read).map_err(|_| "invalid zlib data"),
        CompressionFormat::Zstandard => zstd(data, size, take, read).ok_or("invalid zstd data"),
        _ => Err("unknown compression"),
    }
}

fn zlib(
    data: &[u8],
    size: u64,
    mut take: &mut dyn FnMut(&[u8]),
    read: &mut dyn FnMut(usize),
) -> Result<(), crate::compressed::inflate::Broken> {
    let mut inflater = Inflater::new(data, size)?;
    while inflater.block(&mut take)? {
        read(inflater.read());
    }
    inflater.flush(&mut take)?;
    inflater.finish()
}

/// Decompresses zstd; `None` if it is broken.
fn zstd(mut data: &[u8], size: u64, take: &mut dyn FnMut(&[u8]), read: &mut dyn FnMut(usize)) -> Option<()> {
    let (all, mut left) = (data.len(), size);
    let mut piece = vec![0; PIECE];
    // Linkers that compress on several threads make several frames.
    while !data.is_empty() {
        let mut frame = StreamingDecoder::new(&mut data).ok()?;
        loop {
            let length = frame.read(&mut piece).ok()?;
            if length == 0 {
                break;
            }
            left = left.checked_sub(length as u64)?;
            take(piece.get(..length)?);
            read(all - frame.get_ref().len());
        }
    }
    (left == 0).then_some(())
}

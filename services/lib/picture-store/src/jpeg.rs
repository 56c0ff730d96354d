//! Reads the markers of a JPEG before decoding: whether it is complete, and the memory that decoding takes.

/// Start of image, end of image, start of scan.
const SOI: u8 = 0xd8;
const EOI: u8 = 0xd9;
const SOS: u8 = 0xda;

/// The memory a decoder needs for coefficients, besides the pixels: none where it can decode row by row. A progressive
/// file, or one with a scan for each component, is held as a whole.
///
/// `None` when the file has no frame, no scan or no end. The decoder accepts such files and fills the missing part with
/// grey, but half a photo is a broken upload.
pub(super) fn coefficients(file: &[u8]) -> Option<u64> {
    let mut rest = file;
    let (mut frame, mut scanned) = (None, None);
    loop {
        let (marker, after) = next_marker(rest)?;
        rest = after;
        match marker {
            SOI | 0x01 | 0xd0..=0xd7 => {}
            EOI => break,
            _ => {
                let (segment, after) = segment(rest)?;
                rest = after;
                match marker {
                    _ if is_frame(marker) => frame = Some(FrameHeader::read(marker, segment)?),
                    SOS if scanned.is_none() => scanned = segment.first().copied(),
                    _ => {}
                }
            }
        }
    }
    let (frame, scanned) = (frame?, scanned?);
    let row_by_row = !frame.progressive && usize::from(scanned) == frame.samplings.len();
    Some(if row_by_row { 0 } else { frame.coefficients() })
}

/// The width and height of a JPEG, from its first frame.
pub(super) fn size(file: &[u8]) -> Option<(u32, u32)> {
    let mut rest = file;
    loop {
        let (marker, after) = next_marker(rest)?;
        match marker {
            SOI | 0x01 | 0xd0..=0xd7 => rest = after,
            SOS | EOI => return None,
            _ => {
                let (segment, after) = segment(after)?;
                if is_frame(marker) {
                    let frame = FrameHeader::read(marker, segment)?;
                    return Some((u32::try_from(frame.width).ok()?, u32::try_from(frame.height).ok()?));
                }
                rest = after;
            }
        }
    }
}

/// Huffman tables, extensions and arithmetic conditioning share the range of frames.
const fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

/// The next marker and the rest after it. Between a scan's header and the next marker is its data, in which 0xff is
/// followed by a zero, by a restart marker's number, or by another 0xff.
fn next_marker(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let mut rest = bytes;
    loop {
        let start = rest.iter().position(|byte| *byte == 0xff)?;
        let (marker, after) = rest.get(start + 1..)?.split_first()?;
        match marker {
            0x00 => rest = after,
            0xff => rest = rest.get(start + 1..)?,
            _ => return Some((*marker, after)),
        }
    }
}

/// A segment's content and the rest after it.
fn segment(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    let content = usize::from(u16::from_be_bytes(*length)).checked_sub(2)?;
    rest.split_at_checked(content)
}

struct FrameHeader {
    progressive: bool,
    height: u64,
    width: u64,
    /// Blocks of a component in each minimum coded unit: across and down.
    samplings: Vec<(u64, u64)>,
}

impl FrameHeader {
    fn read(marker: u8, segment: &[u8]) -> Option<Self> {
        let ([_, h1, h0, w1, w0, _], components) = segment.split_first_chunk::<6>()?;
        let samplings: Vec<(u64, u64)> = components
            .chunks_exact(3)
            .filter_map(|component| component.get(1))
            .map(|sampling| (u64::from(sampling >> 4), u64::from(sampling & 15)))
            .collect();
        Some(Self {
            progressive: matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce),
            height: u64::from(u16::from_be_bytes([*h1, *h0])),
            width: u64::from(u16::from_be_bytes([*w1, *w0])),
            samplings,
        })
    }

    /// Two bytes for each of the 64 coefficients of every block.
    fn coefficients(&self) -> u64 {
        let across = self.samplings.iter().map(|(across, _)| *across).max().unwrap_or(1).max(1);
        let down = self.samplings.iter().map(|(_, down)| *down).max().unwrap_or(1).max(1);
        let units = self.width.div_ceil(8 * across) * self.height.div_ceil(8 * down);
        let blocks: u64 = self.samplings.iter().map(|(across, down)| across * down).sum();
        units * blocks * 64 * 2
    }
}

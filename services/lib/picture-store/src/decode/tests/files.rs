//! Picture files written byte by byte, so that they can be invalid in every way.

/// A PNG's chunk.
pub fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut named = kind.to_vec();
    named.extend_from_slice(content);
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&length, named.as_slice(), &crc32(&named).to_be_bytes()].concat()
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

/// A zlib stream without compression.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = bytes.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap();
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend_from_slice(&length.to_le_bytes());
        stream.extend_from_slice(&(!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    let (a, b) = bytes.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (a + b) % 65_521)
    });
    stream.extend_from_slice(&(b << 16 | a).to_be_bytes());
    stream
}

/// A PNG's header: bits a channel, colour type (0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA), interlacing.
#[derive(Clone, Copy)]
pub struct Header {
    pub width: u32,
    pub height: u32,
    pub bits: u8,
    pub colour: u8,
    pub interlaced: bool,
}

/// A PNG with these chunks between header and data, and this compressed data.
pub fn png(header: Header, between: &[Vec<u8>], data: &[u8]) -> Vec<u8> {
    let Header { width, height, bits, colour, interlaced } = header;
    let sides = [width.to_be_bytes(), height.to_be_bytes()].concat();
    let rest = [bits, colour, 0, 0, u8::from(interlaced)];
    let mut file = super::super::PNG.to_vec();
    file.extend(chunk(b"IHDR", &[sides.as_slice(), &rest].concat()));
    file.extend(between.concat());
    file.extend(chunk(b"IDAT", data));
    file.extend(chunk(b"IEND", &[]));
    file
}

/// A segment of a JPEG.
pub fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&[0xff, marker], length.as_slice(), content].concat()
}

/// EXIF with an orientation and a place.
pub fn exif(orientation: u8) -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    // Orientation as a short; then the GPS directory, which is text here.
    tiff.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    tiff.extend([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0]);
    tiff.extend(b"GPSLatitude 14.6760 N");
    tiff
}

/// A JPEG without any detail, mid-grey. `frame` is the marker of its kind: 0xc0 is baseline, 0xc2 progressive (with one
/// scan for the mean of each block). `samplings` are the components, two hex digits each.
pub fn jpeg(frame: u8, width: u16, height: u16, samplings: &[u8], before: &[Vec<u8>]) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    file.extend(before.concat());
    file.extend(segment(0xdb, &[[0].as_slice(), &[1; 64]].concat()));
    let count = u8::try_from(samplings.len()).unwrap();
    let mut content = vec![8];
    content.extend([height.to_be_bytes(), width.to_be_bytes()].concat());
    content.push(count);
    (1..).zip(samplings).for_each(|(id, sampling)| content.extend([id, *sampling, 0]));
    file.extend(segment(frame, &content));
    // One code of one bit for an unchanged value, one for the end of a block.
    let lengths = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend(segment(0xc4, &[[0].as_slice(), &lengths, &[0]].concat()));
    file.extend(segment(0xc4, &[[0x10].as_slice(), &lengths, &[0]].concat()));
    let progressive = frame == 0xc2;
    let mut scan = vec![count];
    (1..=count).for_each(|id| scan.extend([id, 0]));
    scan.extend([0, if progressive { 0 } else { 63 }, 0]);
    file.extend(segment(0xda, &scan));
    let across = samplings.iter().map(|sampling| usize::from(sampling >> 4)).max().unwrap();
    let down = samplings.iter().map(|sampling| usize::from(sampling & 15)).max().unwrap();
    let units = usize::from(width).div_ceil(8 * across) * usize::from(height).div_ceil(8 * down);
    let blocks: usize = samplings.iter().map(|sampling| usize::from(sampling >> 4) * usize::from(sampling & 15)).sum();
    let bits = units * blocks * if progressive { 1 } else { 2 };
    file.extend(vec![0; bits.div_ceil(8)]);
    file.extend([0xff, 0xd9]);
    file
}

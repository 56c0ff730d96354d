//! Ordinary and hostile uploads: a picture without metadata, or a clear refusal, within bounds.

mod colours;
mod files;

use std::{env, ffi::OsStr, fs, io::Write as _, process::Command};

use image::{GrayImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use proptest::prelude::*;

use super::*;
use files::{Header, chunk, exif, jpeg, png, segment, zlib};

const SQUARE: Header = Header { width: 8, height: 8, bits: 8, colour: 0, interlaced: false };

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    image.into().write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A photo as far as a decoder can tell: every pixel differs.
fn photo(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| Rgb([(x * 7) as u8, (y * 5) as u8, (x * y) as u8]))
}

/// Red on the left, blue on the right.
fn flag() -> RgbImage {
    RgbImage::from_fn(64, 32, |x, _| if x < 32 { Rgb([250, 0, 0]) } else { Rgb([0, 0, 250]) })
}

fn decoded(jpeg: &[u8]) -> RgbImage {
    image::load_from_memory_with_format(jpeg, ImageFormat::Jpeg).unwrap().into_rgb8()
}

/// The file alone.
fn reencoded(raw: &[u8], side: u32) -> Result<Vec<u8>, Error> {
    super::reencoded(raw, side).map(|jpeg| jpeg.file)
}

fn refused(raw: &[u8]) -> Error {
    reencoded(raw, 400).unwrap_err()
}

/// Inserted after the start of a JPEG.
fn with(file: &[u8], segments: &[Vec<u8>]) -> Vec<u8> {
    [&file[..2], &segments.concat(), &file[2..]].concat()
}

#[test]
fn the_longer_side_is_bounded_and_nothing_is_enlarged() {
    for (from, to) in [
        ((1000, 500), (400, 200)),
        ((500, 1000), (200, 400)),
        ((4096, 1), (400, 1)),
        ((401, 401), (400, 400)),
        ((400, 300), (400, 300)),
        ((1, 1), (1, 1)),
    ] {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let made = super::reencoded(&encoded(photo(from.0, from.1), format), 400).unwrap();
            assert_eq!(decoded(&made.file).dimensions(), to, "{from:?} {format:?}");
            assert_eq!((made.width, made.height), to, "{from:?} {format:?}");
        }
    }
}

#[test]
fn colours_stay_what_they_were() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        let made = decoded(&reencoded(&encoded(flag(), format), 32).unwrap());
        let (left, right) = (made.get_pixel(4, 8).0, made.get_pixel(28, 8).0);
        assert!(left[0] > 220 && left[2] < 30 && right[2] > 220 && right[0] < 30, "{left:?} {right:?}");
    }
}

#[test]
fn transparent_pixels_become_white() {
    let clear = RgbaImage::from_pixel(900, 900, Rgba([255, 0, 0, 0]));
    let half = RgbaImage::from_pixel(20, 20, Rgba([0, 0, 0, 128]));
    let deep = ImageBuffer::<Rgba<u16>, Vec<u16>>::from_pixel(20, 20, Rgba([0, 0, 0, 0x8000]));
    let grey = image::GrayAlphaImage::from_pixel(20, 20, image::LumaA([0, 0]));
    for (image, expected) in
        [(DynamicImage::from(clear), 255), (half.into(), 127), (deep.into(), 127), (grey.into(), 255)]
    {
        let made = decoded(&reencoded(&encoded(image, ImageFormat::Png), 400).unwrap());
        let seen = made.get_pixel(5, 5).0;
        assert!(seen.iter().all(|channel| channel.abs_diff(expected) < 4), "{seen:?} is not {expected}");
    }
}

#[test]
fn a_photo_taken_sideways_is_upright() {
    let file = encoded(flag(), ImageFormat::Jpeg);
    for (orientation, upright, red) in
        [(1, (64, 32), (4, 4)), (3, (64, 32), (60, 4)), (6, (32, 64), (4, 4)), (8, (32, 64), (4, 60))]
    {
        let turned = with(&file, &[segment(0xe1, &[b"Exif\0\0", exif(orientation).as_slice()].concat())]);
        let made = decoded(&reencoded(&turned, 400).unwrap());
        assert_eq!(made.dimensions(), upright, "{orientation}");
        assert!(made.get_pixel(red.0, red.1).0[0] > 200, "{orientation}");
    }
}

#[test]
fn metadata_is_removed() {
    let secrets = [
        segment(0xe1, &[b"Exif\0\0", exif(1).as_slice()].concat()),
        segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>GPSLatitude</x:xmpmeta>"),
        segment(0xe2, &[b"ICC_PROFILE\0\x01\x01".as_slice(), &[7; 200]].concat()),
        segment(0xed, b"Photoshop 3.0\08BIM GPSLatitude"),
        segment(0xfe, b"GPSLatitude: shot at home"),
    ];
    let sent = with(&encoded(flag(), ImageFormat::Jpeg), &secrets);
    let text = [chunk(b"tEXt", b"Comment\0GPSLatitude"), chunk(b"eXIf", &exif(1))];
    let also_sent = png(Header { colour: 0, ..SQUARE }, &text, &zlib(&[0; 72]));
    for sent in [sent, also_sent] {
        let kept = reencoded(&sent, 400).unwrap();
        for secret in [b"GPSLatitude".as_slice(), b"Exif", b"ICC_PROFILE", b"8BIM", b"xmpmeta"] {
            assert!(sent != kept && !kept.windows(secret.len()).any(|window| window == secret), "{secret:?}");
        }
        // JFIF is from the encoder; other metadata and comments are removed.
        assert!((0xe1..=0xef).chain([0xfe]).all(|marker| !kept.windows(2).any(|pair| pair == [0xff, marker])));
    }
}

#[test]
fn data_after_the_picture_is_removed() {
    let tails: [&[u8]; 4] =
        [b"<script>alert(1)</script>", b"PK\x03\x04 a zip", b"GIF89a", b"%PDF-1.7 /JavaScript (app.alert(1))"];
    for tail in tails {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let kept = reencoded(&[encoded(flag(), format).as_slice(), tail].concat(), 400).unwrap();
            assert!(!kept.windows(tail.len()).any(|window| window == tail));
        }
    }
    let hidden = with(&encoded(flag(), ImageFormat::Jpeg), &[segment(0xfe, b"*/=alert(1)/*<html><script>")]);
    let kept = reencoded(&hidden, 400).unwrap();
    assert!(!kept.windows(8).any(|window| window == b"<script>"));
}

#[test]
fn the_magic_bytes_decide_the_format() {
    let others: [&[u8]; 12] = [
        b"",
        b"\xff",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a\x01\0\x01\0\0\0\0;",
        b"BM\0\0",
        b"RIFF\0\0\0\0WEBPVP8 ",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"%PDF-1.7",
        b"\0\0\0\x1cftypavif",
        b"<!doctype html><script>alert(1)</script>",
        b"\x7fELF",
    ];
    for other in others {
        assert!(matches!(refused(other), Error::NotAPicture), "{other:?}");
    }
    let gif_with_a_jpeg_inside = [b"GIF89a".as_slice(), &encoded(flag(), ImageFormat::Jpeg)].concat();
    assert!(matches!(refused(&gif_with_a_jpeg_inside), Error::NotAPicture));
    let other_kinds =
        [vec![0; 1 << 20], vec![0xff; 1 << 20], [JPEG, &[0xff; 1 << 20]].concat(), [PNG, &[0; 1 << 20]].concat()];
    for garbage in other_kinds {
        assert!(matches!(refused(&garbage), Error::NotAPicture));
    }
}

#[test]
fn a_truncated_picture_is_refused() {
    let progressive = jpeg(0xc2, 320, 240, &[0x22, 0x11, 0x11], &[]);
    for file in [encoded(photo(320, 240), ImageFormat::Png), encoded(photo(320, 240), ImageFormat::Jpeg), progressive] {
        assert!(reencoded(&file, 400).is_ok());
        for part in 0..16 {
            let cut = &file[..file.len() * part / 16];
            assert!(matches!(refused(cut), Error::NotAPicture), "{part}/16 of {:?}", &file[..4]);
        }
    }
}

#[test]
fn every_kind_of_png_is_read() {
    let grey16 = ImageBuffer::<image::Luma<u16>, Vec<u16>>::from_pixel(9, 9, image::Luma([0xffff]));
    let rgb16 = ImageBuffer::<Rgb<u16>, Vec<u16>>::from_pixel(9, 9, Rgb([0xffff; 3]));
    for image in [DynamicImage::from(grey16), rgb16.into(), GrayImage::from_pixel(9, 9, image::Luma([255])).into()] {
        assert!(decoded(&reencoded(&encoded(image, ImageFormat::Png), 400).unwrap()).get_pixel(4, 4).0[1] > 250);
    }
    let palette = [chunk(b"PLTE", &[0, 0, 0, 255, 255, 255]), chunk(b"tRNS", &[0])];
    let bits = png(Header { bits: 1, colour: 3, ..SQUARE }, &palette, &zlib(&[0, 0b1111_0000].repeat(8)));
    assert!(decoded(&reencoded(&bits, 400).unwrap()).pixels().all(|pixel| pixel.0[0] > 240), "black is transparent");
    // Adam7 of 8 x 8: seven passes, each row with its filter.
    let passes: usize = [(1, 1), (1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4)].map(|(w, h)| (w + 1) * h).iter().sum();
    let interlaced = png(Header { interlaced: true, ..SQUARE }, &[], &zlib(&vec![0; passes]));
    assert_eq!(decoded(&reencoded(&interlaced, 400).unwrap()).dimensions(), (8, 8));
}

#[test]
fn every_kind_of_jpeg_is_read_or_refused() {
    for samplings in [[0x11].as_slice(), &[0x11, 0x11, 0x11], &[0x22, 0x11, 0x11], &[0x21, 0x11, 0x11]] {
        for frame in [0xc0, 0xc1, 0xc2] {
            let made = decoded(&reencoded(&jpeg(frame, 40, 24, samplings, &[]), 400).unwrap());
            assert_eq!(made.dimensions(), (40, 24), "{frame:x} {samplings:?}");
        }
    }
    let adobe = segment(0xee, b"Adobe\0\x64\0\0\0\0\0");
    assert!(reencoded(&jpeg(0xc0, 40, 24, &[0x11; 4], &[adobe]), 400).is_ok(), "CMYK");
    // Lossless, arithmetic; no sides, no components.
    for odd in [
        jpeg(0xc3, 40, 24, &[0x11], &[]),
        jpeg(0xc9, 40, 24, &[0x11], &[]),
        jpeg(0xc0, 0, 24, &[0x11], &[]),
        jpeg(0xc0, 40, 0, &[0x11], &[]),
        jpeg(0xc0, 40, 24, &[0x11; 5], &[]),
    ] {
        assert!(matches!(refused(&odd), Error::NotAPicture));
    }
}

#[test]
fn too_many_pixels_are_refused_before_decoding() {
    for (width, height) in [(4097, 1), (1, 4097), (65_500, 65_500), (0x7fff_ffff, 0x7fff_ffff), (u32::MAX, 1)] {
        let file = png(Header { width, height, colour: 6, ..SQUARE }, &[], &zlib(&[0; 64]));
        // Invalid values in a PNG header.
        assert!(matches!(refused(&file), Error::TooLarge | Error::NotAPicture), "{width} x {height}");
    }
    let wide = encoded(RgbImage::new(4097, 2), ImageFormat::Png);
    assert!(matches!(refused(&wide), Error::TooLarge));
    for file in [
        jpeg(0xc0, 4097, 8, &[0x11], &[]),
        jpeg(0xc0, 65_535, 65_535, &[0x11], &[]),
        jpeg(0xc2, 4096, 4096, &[0x11; 3], &[]),
    ] {
        assert!(matches!(refused(&file), Error::TooLarge));
    }
    assert!(reencoded(&jpeg(0xc2, 4032, 3024, &[0x22, 0x11, 0x11], &[]), 400).is_ok(), "a phone's");
    assert!(reencoded(&jpeg(0xc0, 4096, 4096, &[0x11; 3], &[]), 400).is_ok());
}

#[test]
fn an_upload_has_a_second_for_each_million_pixels_and_no_more() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        assert_eq!(time(&encoded(photo(2000, 1500), format)), Duration::from_secs(3), "{format:?}");
        assert_eq!(time(&encoded(photo(1, 1), format)), Duration::from_micros(1), "{format:?}");
    }
    let of_phone =
        jpeg(0xc2, 4032, 3024, &[0x22, 0x11, 0x11], &[segment(0xe1, &[0; 30_000]), segment(0xe2, &[0xff; 9])]);
    assert_eq!(time(&of_phone).as_millis(), 12_192, "progressive, after metadata");
    assert!(time(&jpeg(0xc0, 4096, 4096, &[0x11; 3], &[])) < Duration::from_secs(17), "the longest");
    let files = [
        vec![],
        PNG.to_vec(),
        JPEG.to_vec(),
        b"GIF89a".to_vec(),
        jpeg(0xc0, 4097, 8, &[0x11], &[]),
        png(Header { width: u32::MAX, height: u32::MAX, ..SQUARE }, &[], &[]),
        encoded(photo(9, 9), ImageFormat::Jpeg)[..20].to_vec(),
    ];
    for file in files {
        assert_eq!(time(&file), Duration::ZERO, "{:?}", file.get(..12));
    }
}

/// Zeros, compressed a thousandfold: the data of a black PNG.
fn compressed_zeros() -> Vec<u8> {
    let file = encoded(RgbaImage::new(4096, 4096), ImageFormat::Png);
    let mut rest = &file[8..];
    let mut data = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        if after.starts_with(b"IDAT") {
            data.extend_from_slice(&after[4..4 + length]);
        }
        rest = &after[8 + length..];
    }
    data
}

/// Files that need more memory than allowed.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let zeros = compressed_zeros();
    let profile = chunk(b"iCCP", &[b"p\0\0", zeros.as_slice()].concat());
    let text = chunk(b"zTXt", &[b"Raw profile type iptc\0\0", zeros.as_slice()].concat());
    let full = Header { width: 4096, height: 4096, bits: 8, colour: 6, interlaced: false };
    let crowd = vec![chunk(b"tEXt", b"a\0b"); 40_000];
    vec![
        ("black", png(full, &[], &zeros)),
        ("black, interlaced", png(Header { interlaced: true, ..full }, &[], &zeros)),
        ("16 bits a channel", png(Header { bits: 16, ..full }, &[], &zeros)),
        ("a profile of 64 MiB", png(full, std::slice::from_ref(&profile), &zeros)),
        ("a text of 64 MiB", png(full, &[text.clone(), text], &zeros)),
        ("many profiles", png(full, &vec![profile; 8], &zeros)),
        ("many chunks", png(full, &crowd, &zeros)),
        ("jpeg", jpeg(0xc0, 4096, 4096, &[0x11; 3], &[])),
        ("jpeg of four channels", jpeg(0xc0, 4096, 4096, &[0x11; 4], &[segment(0xee, b"Adobe\0\x64\0\0\0\0\0")])),
        ("progressive", jpeg(0xc2, 4032, 3024, &[0x22, 0x11, 0x11], &[])),
        ("progressive, too large", jpeg(0xc2, 4096, 4096, &[0x11; 3], &[])),
    ]
}

/// The peak memory of this process in KiB, from Linux.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

const BOMB: &str = "PORTIA_TEST_BOMB";

/// Decodes one file in a separate process, whose peak memory belongs to that file alone.
fn decode_one(path: &OsStr) {
    let file = fs::read(path).unwrap();
    let before = peak().unwrap();
    let outcome = reencoded(&file, 400).map(|jpeg| jpeg.len());
    println!("took {} KiB: {outcome:?}", peak().unwrap() - before);
}

#[test]
fn no_file_exceeds_the_memory_limit() {
    if let Some(path) = env::var_os(BOMB) {
        return decode_one(&path);
    }
    if peak().is_none() {
        return;
    }
    for (name, bytes) in bombs() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "decode::tests::no_file_exceeds_the_memory_limit", "--nocapture"])
            .env(BOMB, file.path())
            .output()
            .unwrap();
        let stdout = String::from_utf8(child.stdout).unwrap();
        assert!(child.status.success(), "{name}: {stdout}");
        let took = stdout.split_once("took ").and_then(|(_, rest)| rest.split_once(" KiB"));
        let took: u64 = took.unwrap_or_else(|| panic!("{name}: {stdout}")).0.parse().unwrap();
        println!("{name}: {} bytes took {} MiB", bytes.len(), took >> 10);
        assert!(took <= 96 << 10, "{name} took {took} KiB");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    /// A panic fails the test: it is not caught here.
    #[test]
    fn flipped_bytes_never_panic(
        kind in 0..6_usize,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..24),
    ) {
        let mut file = match kind {
            0 => encoded(photo(48, 40), ImageFormat::Png),
            1 => encoded(photo(48, 40), ImageFormat::Jpeg),
            2 => jpeg(0xc2, 48, 40, &[0x22, 0x11, 0x11], &[]),
            3 => colours::in_profile(photo(48, 40), ImageFormat::Png, &colours::display_p3()),
            4 => colours::in_profile(photo(48, 40), ImageFormat::Jpeg, &colours::display_p3()),
            _ => with(&encoded(photo(48, 40), ImageFormat::Jpeg), &[segment(0xe1, &[b"Exif\0\0", exif(6).as_slice()].concat())]),
        };
        for (at, flip) in flips {
            // The magic bytes stay, because they select the decoder.
            let at = 3 + at.index(file.len() - 3);
            file[at] ^= flip;
        }
        if let Ok(kept) = reencoded(&file, 400) {
            prop_assert!(decoded(&kept).dimensions().0 <= 400);
        }
    }
}

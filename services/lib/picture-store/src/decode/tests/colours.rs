//! Pictures with colour profiles: stored with the colours that a viewer would show.

use image::{
    DynamicImage, ExtendedColorType, GrayImage, ImageEncoder as _, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage,
    codecs::{jpeg::JpegEncoder, png::PngEncoder},
};
use moxcms::{ColorProfile, ToneReprCurve};
use proptest::prelude::*;

use super::super::colours::converted;
use super::{Header, SQUARE, chunk, decoded, jpeg, png, reencoded, segment, with, zlib};

fn encoded(profile: ColorProfile) -> Vec<u8> {
    profile.encode().unwrap()
}

fn with_gamma(mut profile: ColorProfile, gamma: f32) -> Vec<u8> {
    let curve = Some(ToneReprCurve::Parametric(vec![gamma]));
    (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
    // The tag of code points (ITU-T H.273) of the original names its curve, and comes before the curves.
    profile.cicp = None;
    profile.encode().unwrap()
}

pub fn display_p3() -> Vec<u8> {
    encoded(ColorProfile::new_display_p3())
}

/// sRGB with red and green exchanged: a profile that is ignored shows at once.
fn exchanged() -> Vec<u8> {
    let mut profile = ColorProfile::new_srgb();
    std::mem::swap(&mut profile.red_colorant, &mut profile.green_colorant);
    encoded(profile)
}

/// A file with the profile.
pub fn in_profile(image: impl Into<DynamicImage>, format: ImageFormat, profile: &[u8]) -> Vec<u8> {
    let (image, mut file) = (image.into(), Vec::new());
    let (width, height, colour) = (image.width(), image.height(), ExtendedColorType::from(image.color()));
    if format == ImageFormat::Png {
        let mut encoder = PngEncoder::new(&mut file);
        encoder.set_icc_profile(profile.to_vec()).unwrap();
        encoder.write_image(image.as_bytes(), width, height, colour).unwrap();
    } else {
        let mut encoder = JpegEncoder::new_with_quality(&mut file, 98);
        encoder.set_icc_profile(profile.to_vec()).unwrap();
        encoder.encode(image.as_bytes(), width, height, colour).unwrap();
    }
    file
}

/// One colour of a stored picture is `expected`, as far as a JPEG keeps it.
fn assert_shows(file: &[u8], expected: [u8; 3], case: &str) {
    for side in [16, 400] {
        let stored = reencoded(file, side).unwrap_or_else(|error| panic!("{case}: {error}"));
        let seen = decoded(&stored).get_pixel(8, 8).0;
        let is_close = seen.iter().zip(expected).all(|(seen, expected)| seen.abs_diff(expected) <= 3);
        assert!(is_close, "{case}: {seen:?} is not {expected:?}");
    }
}

#[test]
fn colours_are_converted_to_srgb() {
    let photo = RgbImage::from_pixel(40, 40, Rgb([60, 200, 90]));
    for (name, profile, expected) in [
        ("sRGB", encoded(ColorProfile::new_srgb()), [60, 200, 90]),
        ("Display P3", display_p3(), [0, 203, 73]),
        ("Display P3, gamma 2.2", with_gamma(ColorProfile::new_display_p3(), 2.2), [0, 205, 72]),
        ("Adobe RGB", encoded(ColorProfile::new_adobe_rgb()), [0, 201, 80]),
        ("exchanged primaries", exchanged(), [201, 57, 90]),
        ("ProPhoto RGB", encoded(ColorProfile::new_pro_photo_rgb()), [0, 228, 79]),
        ("sRGB primaries, linear", with_gamma(ColorProfile::new_srgb(), 1.0), [133, 229, 160]),
    ] {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            assert_shows(&in_profile(photo.clone(), format, &profile), expected, &format!("{name}, {format:?}"));
        }
    }
}

const P3: [u8; 4] = [12, 13, 0, 1];
/// White, red, green and blue of Display P3.
const P3_CHROMATICITIES: [u32; 8] = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000];
const SRGB_CHROMATICITIES: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

fn numbers(kind: &[u8; 4], numbers: &[u32]) -> Vec<u8> {
    chunk(kind, &numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<_>>())
}

/// A PNG with these chunks behind its header.
fn stating(image: impl Into<DynamicImage>, stated: &[Vec<u8>]) -> Vec<u8> {
    let file = super::encoded(image, ImageFormat::Png);
    let (header, rest) = file.split_at(33);
    [header, &stated.concat(), rest].concat()
}

#[test]
fn colours_that_chunks_state_are_converted_to_srgb() {
    let photo = RgbImage::from_pixel(40, 40, Rgb([60, 200, 90]));
    let (same, p3) = ([60, 200, 90], [0, 203, 73]);
    let profile = in_profile(photo.clone(), ImageFormat::Png, &exchanged());
    let profile = profile[33..].to_vec();
    let profile =
        profile[..12 + usize::try_from(u32::from_be_bytes(*profile.first_chunk().unwrap())).unwrap()].to_vec();
    let srgb = chunk(b"sRGB", &[0]);
    let (linear, usual) = (numbers(b"gAMA", &[100_000]), numbers(b"gAMA", &[45_455]));
    let (wide, ordinary) = (numbers(b"cHRM", &P3_CHROMATICITIES), numbers(b"cHRM", &SRGB_CHROMATICITIES));
    let cicp = |code_points: [u8; 4]| chunk(b"cICP", &code_points);
    for (name, stated, expected) in [
        ("Display P3", vec![cicp(P3)], p3),
        ("sRGB", vec![cicp([1, 13, 0, 1])], same),
        ("BT.2020, curve of sRGB", vec![cicp([9, 13, 0, 1])], [0, 210, 67]),
        ("linear", vec![cicp([1, 8, 0, 1])], [133, 229, 160]),
        ("code points before a profile", vec![cicp(P3), profile.clone()], p3),
        ("code points of sRGB before a profile", vec![cicp([1, 13, 0, 1]), profile.clone()], same),
        ("code points before an sRGB chunk", vec![cicp(P3), srgb.clone()], p3),
        ("unspecified", vec![cicp([2, 2, 0, 1])], same),
        ("unspecified beside a profile", vec![cicp([2, 2, 0, 1]), profile.clone()], [201, 57, 90]),
        ("PQ", vec![cicp([9, 16, 0, 1])], same),
        ("narrow range", vec![cicp([12, 13, 0, 0])], same),
        ("gamma 1", vec![linear.clone()], [133, 229, 160]),
        ("the usual gamma", vec![usual.clone()], same),
        ("the usual gamma and primaries", vec![usual.clone(), ordinary.clone()], same),
        ("other primaries", vec![wide.clone()], p3),
        ("other primaries, the usual gamma", vec![usual, wide.clone()], p3),
        ("an sRGB chunk comes first", vec![srgb, linear.clone(), wide.clone()], same),
        ("a profile comes first", vec![profile, linear, wide], [201, 57, 90]),
        ("no gamma", vec![numbers(b"gAMA", &[0])], same),
        ("too large a gamma", vec![numbers(b"gAMA", &[u32::MAX])], same),
        ("one primary", vec![numbers(b"cHRM", &[30_000; 8])], same),
        ("no primaries", vec![numbers(b"cHRM", &[0; 8])], same),
        ("impossible primaries", vec![numbers(b"cHRM", &[u32::MAX; 8])], same),
    ] {
        assert_shows(&stating(photo.clone(), &stated), expected, name);
    }
    let grey = GrayImage::from_pixel(40, 40, image::Luma([100]));
    assert_shows(&stating(grey.clone(), &[numbers(b"gAMA", &[100_000])]), [168; 3], "linear grey");
    assert_shows(&stating(grey, &[cicp(P3)]), [100; 3], "grey in Display P3");
    let white = RgbImage::from_pixel(40, 40, Rgb([255; 3]));
    assert_shows(&stating(white, &[cicp(P3)]), [255; 3], "white");
}

#[test]
fn white_and_grey_stay_neutral_in_every_profile() {
    for profile in [display_p3(), encoded(ColorProfile::new_adobe_rgb()), exchanged()] {
        let grey = RgbImage::from_pixel(20, 20, Rgb([255; 3]));
        assert_shows(&in_profile(grey, ImageFormat::Png, &profile), [255; 3], "white");
        let clear = RgbaImage::from_pixel(20, 20, Rgba([200, 0, 0, 0]));
        assert_shows(&in_profile(clear, ImageFormat::Png, &profile), [255; 3], "transparent");
    }
}

#[test]
fn a_profile_in_several_segments_is_read_and_pixels_of_16_bits_are_converted() {
    let (profile, photo) = (display_p3(), RgbImage::from_pixel(40, 40, Rgb([60, 200, 90])));
    let plain = in_profile(photo.clone(), ImageFormat::Jpeg, &encoded(ColorProfile::new_srgb()));
    let start = plain.windows(12).position(|window| window == b"ICC_PROFILE\0").unwrap() - 4;
    let length = usize::from(u16::from_be_bytes([plain[start + 2], plain[start + 3]]));
    let without = [&plain[..start], &plain[start + 2 + length..]].concat();
    let (one, other) = profile.split_at(200);
    let part = |n: u8, part: &[u8]| segment(0xe2, &[b"ICC_PROFILE\0".as_slice(), &[n, 2], part].concat());
    assert_shows(&with(&without, &[part(1, one), part(2, other)]), [0, 203, 73], "two segments");
    assert_shows(&with(&without, &[part(2, other), part(1, one)]), [0, 203, 73], "in another order");
    // A lost part: no profile.
    assert_shows(&with(&without, &[part(1, one)]), [60, 200, 90], "a part");
    let deep = DynamicImage::ImageRgb8(photo).into_rgb16();
    assert_shows(&in_profile(deep, ImageFormat::Png, &profile), [0, 203, 73], "16 bits");
}

#[test]
fn grey_pictures_are_converted_by_grey_profiles() {
    let grey = GrayImage::from_pixel(40, 40, image::Luma([100]));
    let gamma = encoded(ColorProfile::new_gray_with_gamma(1.0));
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        assert_shows(&in_profile(grey.clone(), format, &gamma), [168; 3], "linear grey");
        assert_shows(&in_profile(grey.clone(), format, &display_p3()), [100; 3], "grey in Display P3");
    }
    let with_alpha = image::GrayAlphaImage::from_pixel(40, 40, image::LumaA([100, 255]));
    assert_shows(&in_profile(with_alpha, ImageFormat::Png, &gamma), [168; 3], "linear grey with alpha");
}

#[test]
fn a_profile_of_other_pixels_and_a_broken_one_count_as_srgb() {
    let photo = RgbImage::from_pixel(40, 40, Rgb([60, 200, 90]));
    let p3 = display_p3();
    let mut of_cmyk = p3.clone();
    of_cmyk[16..20].copy_from_slice(b"CMYK");
    let mut of_lab = p3.clone();
    of_lab[16..20].copy_from_slice(b"Lab ");
    let mut endless = p3.clone();
    // The number of tags.
    endless[128..132].copy_from_slice(&[0xff; 4]);
    let grey = encoded(ColorProfile::new_gray_with_gamma(1.0));
    for broken in [
        b"no profile".to_vec(),
        vec![0; 500],
        p3[..130].to_vec(),
        p3[..p3.len() / 2].to_vec(),
        of_cmyk,
        of_lab,
        endless,
        grey,
    ] {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            assert_shows(&in_profile(photo.clone(), format, &broken), [60, 200, 90], "broken");
        }
    }
    // A profile of CMYK beside pixels of CMYK.
    let adobe = segment(0xee, b"Adobe\0\x64\0\0\0\0\0");
    let profile = segment(0xe2, &[b"ICC_PROFILE\0\x01\x01".as_slice(), &p3].concat());
    assert!(reencoded(&jpeg(0xc0, 40, 24, &[0x11; 4], &[adobe, profile]), 400).is_ok());
    let unpacked = chunk(b"iCCP", b"p\0\0not compressed");
    assert!(reencoded(&png(Header { colour: 0, ..SQUARE }, &[unpacked], &zlib(&[0; 72])), 400).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn chunks_of_any_content_never_panic(
        kind in prop::sample::select(vec![b"cICP", b"gAMA", b"cHRM", b"sRGB"]),
        content in prop::collection::vec(any::<u8>(), 0..40),
        cut in any::<prop::sample::Index>(),
    ) {
        for image in [DynamicImage::from(RgbImage::new(4, 4)), GrayImage::new(4, 4).into()] {
            let file = stating(image.clone(), &[chunk(kind, &content)]);
            for raw in [file.as_slice(), &file[..cut.index(file.len())]] {
                if let Some(profile) = super::super::png_colours::profile(raw, None) {
                    converted(&image, &profile);
                }
            }
        }
    }

    /// A panic fails the test: it is not caught here.
    #[test]
    fn flipped_bytes_of_a_profile_never_panic(
        kind in 0..3_usize,
        cut in any::<prop::sample::Index>(),
        is_cut in prop::bool::weighted(0.2),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut profile = match kind {
            0 => display_p3(),
            1 => encoded(ColorProfile::new_gray_with_gamma(2.2)),
            _ => encoded(ColorProfile::new_adobe_rgb()),
        };
        for (at, value) in flips {
            let at = at.index(profile.len());
            profile[at] = value;
        }
        if is_cut {
            profile.truncate(cut.index(profile.len()));
        }
        for image in [DynamicImage::from(RgbImage::new(4, 4)), GrayImage::new(4, 4).into()] {
            converted(&image, &profile);
        }
    }
}

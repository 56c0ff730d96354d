//! Colours that chunks of a PNG state without a profile (PNG, section 4.3): cICP, which comes before the profile; else gAMA and
//! cHRM, which count only without a profile and an sRGB chunk.

use std::iter;

use moxcms::{
    Chromaticity, CicpColorPrimaries, CicpProfile, ColorPrimaries, ColorProfile, MatrixCoefficients, ToneReprCurve,
    TransferCharacteristics,
};

use super::PNG;

/// Code points of ITU-T H.273.
const SRGB_PRIMARIES: u8 = 1;
const SRGB_CURVE: u8 = 13;
const RGB: u8 = 0;
const FULL_RANGE: u8 = 1;
/// The curves whose white is that of sRGB. Brightness beyond it (PQ, HLG) would need a choice of tones.
const CURVES: [u8; 8] = [1, 4, 5, 6, 8, SRGB_CURVE, 14, 15];
/// The unit of gAMA and cHRM.
const UNIT: f32 = 100_000.0;
/// The exponent that encoders write for the curve of sRGB, 1 / 2.2.
const SRGB_GAMMA: u32 = 45_455;
/// The exponents that screens and cameras have, in this unit.
const GAMMAS: std::ops::RangeInclusive<u32> = 10_000..=1_000_000;
/// White, red, green and blue of sRGB, and the rounding of encoders.
const SRGB_CHROMATICITIES: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
const ROUNDING: u32 = 100;

/// The profile of a PNG's pixels: the one that chunks state, or the embedded one. `None` for sRGB.
pub(super) fn profile(raw: &[u8], embedded: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let find = |kind: &[u8; 4]| chunks(raw).find(|(found, _)| *found == kind).map(|(_, content)| content);
    if let Some(Some(code_points)) = find(b"cICP").map(code_points) {
        return code_points.and_then(|profile| profile.encode().ok());
    }
    if embedded.is_some() || find(b"iCCP").is_some() || find(b"sRGB").is_some() {
        return embedded;
    }
    let gamma = find(b"gAMA").and_then(numbers::<1>).map(|[gamma]| gamma);
    let gamma = gamma.filter(|gamma| GAMMAS.contains(gamma) && gamma.abs_diff(SRGB_GAMMA) > ROUNDING);
    let curve = gamma.map(|gamma| UNIT / gamma as f32);
    if is_grey(raw) {
        return ColorProfile::new_gray_with_gamma(curve?).encode().ok();
    }
    let colours = find(b"cHRM").and_then(numbers::<8>).and_then(chromaticities);
    of(curve, colours)?.encode().ok()
}

/// The chunks before the pixels.
fn chunks(raw: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = raw.get(PNG.len()..).unwrap_or_default();
    let chunks = iter::from_fn(move || {
        let (length, from) = rest.split_first_chunk::<4>()?;
        let (kind, from) = from.split_first_chunk::<4>()?;
        let (content, from) = from.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        rest = from.get(4..).unwrap_or_default();
        Some((kind, content))
    });
    chunks.take_while(|(kind, _)| *kind != b"IDAT")
}

/// Whether the pixels have no colour, by the colour type in the header.
fn is_grey(raw: &[u8]) -> bool {
    chunks(raw).next().and_then(|(_, header)| header.get(9)).is_some_and(|colour| matches!(colour, 0 | 4))
}

/// The numbers of a chunk.
fn numbers<const COUNT: usize>(content: &[u8]) -> Option<[u32; COUNT]> {
    let (numbers, rest) = content.as_chunks::<4>();
    let numbers: Vec<u32> = numbers.iter().map(|number| u32::from_be_bytes(*number)).collect();
    if rest.is_empty() { numbers.try_into().ok() } else { None }
}

/// The profile of code points: `Some(None)` for sRGB, `None` if they do not tell the colours.
fn code_points(content: &[u8]) -> Option<Option<ColorProfile>> {
    let [primaries, curve, RGB, FULL_RANGE] = *content else { return None };
    if (primaries, curve) == (SRGB_PRIMARIES, SRGB_CURVE) {
        return Some(None);
    }
    let profile = ColorProfile::new_from_cicp(CicpProfile {
        color_primaries: CicpColorPrimaries::try_from(primaries).ok()?,
        transfer_characteristics: TransferCharacteristics::try_from(curve).ok().filter(|_| CURVES.contains(&curve))?,
        matrix_coefficients: MatrixCoefficients::Identity,
        full_range: true,
    });
    let is_known = profile.cicp.is_some() && profile.red_trc.is_some();
    is_known.then_some(Some(profile))
}

/// White and the primaries; `None` for those of sRGB and for impossible ones.
fn chromaticities(numbers: [u32; 8]) -> Option<(Chromaticity, ColorPrimaries)> {
    if iter::zip(numbers, SRGB_CHROMATICITIES).all(|(one, other)| one.abs_diff(other) <= ROUNDING) {
        return None;
    }
    let [white, red, green, blue] = *numbers.as_chunks::<2>().0 else { return None };
    let point = |[x, y]: [u32; 2]| Chromaticity::new(x as f32 / UNIT, y as f32 / UNIT);
    let [white, red, green, blue] = [white, red, green, blue].map(point);
    let area = (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y);
    let is_possible = |point: &Chromaticity| point.x <= 1.0 && point.y <= 1.0;
    let is_of_light = white.x > 0.1 && white.y > 0.1 && area.abs() > 0.01;
    let primaries = ColorPrimaries { red, green, blue };
    (is_of_light && [white, red, green, blue].iter().all(is_possible)).then_some((white, primaries))
}

/// sRGB with another curve and other primaries; `None` without either.
fn of(curve: Option<f32>, colours: Option<(Chromaticity, ColorPrimaries)>) -> Option<ColorProfile> {
    let mut profile = ColorProfile::new_srgb();
    if curve.is_none() && colours.is_none() {
        return None;
    }
    // Its code points come before its curves.
    profile.cicp = None;
    if let Some((white, primaries)) = colours {
        profile.update_rgb_colorimetry(white.to_xyyb(), primaries);
    }
    if let Some(gamma) = curve {
        let curve = Some(ToneReprCurve::Parametric(vec![gamma]));
        (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
    }
    Some(profile)
}

//! Converts pixels to sRGB by the colour profile of their file (ICC.1), or the one that a PNG's chunks state, because stored pictures
//! have no profile.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use image::{DynamicImage, RgbImage};
use moxcms::{
    ColorProfile, DataColorSpace, Layout, ParsingOptions, RenderingIntent, Transform8BitExecutor, TransformOptions,
};

/// The bounds of a profile, which cameras and screens do not reach: its bytes, and the numbers of its tables and curves.
const BOUNDS: ParsingOptions =
    ParsingOptions { max_profile_size: 4 << 20, max_allowed_clut_size: 1_000_000, max_allowed_trc_size: 40_000 };

/// Converts the pixels to sRGB. Without a profile, or with one that is broken or not of these pixels (CMYK is decoded
/// as RGB), they count as sRGB.
pub(super) fn to_srgb(image: DynamicImage, profile: Option<&[u8]>) -> RgbImage {
    let Some(profile) = profile else { return image.into_rgb8() };
    // A bug of the parser must not refuse a picture that every viewer shows.
    let converted = catch_unwind(AssertUnwindSafe(|| converted(&image, profile)));
    converted.ok().flatten().unwrap_or_else(|| image.into_rgb8())
}

/// `None` when the profile cannot be used.
pub(super) fn converted(image: &DynamicImage, profile: &[u8]) -> Option<RgbImage> {
    let profile = ColorProfile::new_from_slice_with_options(profile, BOUNDS).ok()?;
    let mut srgb = RgbImage::new(image.width(), image.height());
    match profile.color_space {
        DataColorSpace::Rgb => transform(&profile, Layout::Rgb)?.transform(&image.to_rgb8(), &mut srgb).ok()?,
        DataColorSpace::Gray if !image.color().has_color() => {
            transform(&profile, Layout::Gray)?.transform(&image.to_luma8(), &mut srgb).ok()?;
        }
        _ => return None,
    }
    Some(srgb)
}

/// Keeps the colours that sRGB has. A profile of tables may have tables of the other intent only.
fn transform(profile: &ColorProfile, pixels: Layout) -> Option<Arc<Transform8BitExecutor>> {
    let srgb = ColorProfile::new_srgb();
    [RenderingIntent::RelativeColorimetric, RenderingIntent::Perceptual].into_iter().find_map(|rendering_intent| {
        // Fixed point is off by two, which the JPEG adds to.
        let options = TransformOptions { rendering_intent, prefer_fixed_point: false, ..TransformOptions::default() };
        profile.create_transform_8bit(pixels, &srgb, Layout::Rgb, options).ok()
    })
}

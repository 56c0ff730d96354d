//! Decodes an upload and re-encodes it as JPEG in sRGB within bounded memory, on a blocking thread.

mod colours;
mod png_colours;

use std::{io::Cursor, time::Duration};

use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer,
    images::{Image, ImageRef},
};
use image::{
    DynamicImage, ImageBuffer, ImageDecoder, ImageError, Limits, Pixel, Primitive,
    codecs::{
        jpeg::{JpegDecoder, JpegEncoder},
        png::PngDecoder,
    },
    metadata::Orientation,
};

use super::{Error, jpeg};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const JPEG: &[u8] = b"\xff\xd8\xff";
/// The maximum of pixels of a side.
const SIDE: u32 = 4096;
/// The maximum memory of decoded pixels and the coefficients of a progressive JPEG. 4096 x 4096 pixels of four bytes
/// fit, and so does a progressive photo of a phone; 16 bits per channel do not.
const MEMORY: u64 = 72 << 20;
/// The maximum memory of profiles and texts of a PNG, decompressed.
const METADATA: u64 = 4 << 20;
/// The JPEG quality. Above it photos grow without looking better.
const QUALITY: u8 = 85;
/// The time that a million pixels may take. An idle core decodes, scales and encodes them in a fiftieth of it; the rest is for
/// pictures before this one, and for machines with other work.
const TIME_PER_MEGAPIXEL: Duration = Duration::from_secs(1);

/// The encoded file and its size in pixels.
#[derive(Debug)]
pub(super) struct Jpeg {
    pub(super) file: Vec<u8>,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The magic bytes decide the format; the file name and media type are ignored.
pub(super) fn reencoded(raw: &[u8], side: u32) -> Result<Jpeg, Error> {
    let file = Cursor::new(raw);
    let Pixels { image, orientation, profile } = if raw.starts_with(PNG) {
        let pixels = pixels(PngDecoder::with_limits(file, limits())?, 0)?;
        Pixels { profile: png_colours::profile(raw, pixels.profile), ..pixels }
    } else if raw.starts_with(JPEG) {
        let coefficients = jpeg::coefficients(raw).ok_or(Error::NotAPicture)?;
        let mut decoder = JpegDecoder::new(file)?;
        decoder.set_limits(limits())?;
        pixels(decoder, coefficients)?
    } else {
        return Err(Error::NotAPicture);
    };
    let mut small = smaller(on_white(image), side)?;
    small.apply_orientation(orientation);
    let (width, height, mut file) = (small.width(), small.height(), Vec::new());
    let small = colours::to_srgb(small, profile.as_deref());
    JpegEncoder::new_with_quality(&mut file, QUALITY).encode_image(&small)?;
    Ok(Jpeg { file, width, height })
}

/// The time that [`reencoded`] may take, by the size in the header: nothing for a file that it refuses, so that the time is bounded.
pub(super) fn time(raw: &[u8]) -> Duration {
    let size = if raw.starts_with(PNG) { png_size(raw) } else { jpeg::size(raw) };
    let Some((width, height)) = size.filter(|(width, height)| *width <= SIDE && *height <= SIDE) else {
        return Duration::ZERO;
    };
    TIME_PER_MEGAPIXEL.mul_f64(f64::from(width) * f64::from(height) / 1e6)
}

/// The width and height of a PNG, which follow the length and name of its first chunk.
fn png_size(raw: &[u8]) -> Option<(u32, u32)> {
    let (size, _) = raw.get(PNG.len() + 8..)?.split_first_chunk::<8>()?;
    let [w3, w2, w1, w0, h3, h2, h1, h0] = *size;
    Some((u32::from_be_bytes([w3, w2, w1, w0]), u32::from_be_bytes([h3, h2, h1, h0])))
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(SIDE);
    limits.max_image_height = Some(SIDE);
    // For metadata only: `pixels` checks the memory of the pixels before it decodes them.
    limits.max_alloc = Some(METADATA);
    limits
}

/// A decoded file.
struct Pixels {
    image: DynamicImage,
    orientation: Orientation,
    profile: Option<Vec<u8>>,
}

fn pixels(mut decoder: impl ImageDecoder, coefficients: u64) -> Result<Pixels, Error> {
    if decoder.total_bytes().saturating_add(coefficients) > MEMORY {
        return Err(Error::TooLarge);
    }
    let (orientation, profile) = (decoder.orientation()?, decoder.icc_profile()?);
    Ok(Pixels { image: DynamicImage::from_decoder(decoder)?, orientation, profile })
}

/// Blends transparency with white, because JPEG has none. In place, for its size; and before scaling, so that the
/// colour of a transparent pixel does not show.
fn on_white(mut image: DynamicImage) -> DynamicImage {
    match &mut image {
        DynamicImage::ImageLumaA8(pixels) => flatten(pixels),
        DynamicImage::ImageRgba8(pixels) => flatten(pixels),
        DynamicImage::ImageLumaA16(pixels) => flatten(pixels),
        DynamicImage::ImageRgba16(pixels) => flatten(pixels),
        _ => {}
    }
    image
}

fn flatten<P>(image: &mut ImageBuffer<P, Vec<P::Subpixel>>)
where
    P: Pixel,
    P::Subpixel: Into<u32> + TryFrom<u32>,
{
    let opaque = P::Subpixel::DEFAULT_MAX_VALUE;
    let white: u32 = opaque.into();
    for pixel in image.pixels_mut() {
        let [colours @ .., alpha] = pixel.channels_mut() else { continue };
        let seen: u32 = (*alpha).into();
        for colour in colours {
            // At most white * white, which 32 bits hold for 16 bits a channel.
            let mixed = ((*colour).into() * seen + white * (white - seen)) / white;
            *colour = mixed.try_into().unwrap_or(opaque);
        }
        *alpha = opaque;
    }
}

/// Scales an image down to `side`, never up. Pixels are opaque by now, so that a channel of alpha is scaled like a
/// colour.
fn smaller(image: DynamicImage, side: u32) -> Result<DynamicImage, Error> {
    if image.width().max(image.height()) <= side {
        return Ok(image);
    }
    Ok(match image {
        DynamicImage::ImageLuma8(pixels) => scaled(&pixels, PixelType::U8, side)?.into(),
        DynamicImage::ImageLumaA8(pixels) => scaled(&pixels, PixelType::U8x2, side)?.into(),
        DynamicImage::ImageRgba8(pixels) => scaled(&pixels, PixelType::U8x4, side)?.into(),
        other => scaled(&other.into_rgb8(), PixelType::U8x3, side)?.into(),
    })
}

fn scaled<P: Pixel<Subpixel = u8>>(
    pixels: &ImageBuffer<P, Vec<u8>>,
    kind: PixelType,
    side: u32,
) -> Result<ImageBuffer<P, Vec<u8>>, Error> {
    let (width, height) = pixels.dimensions();
    let scale = f64::from(side) / f64::from(width.max(height));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most `side`")]
    let length = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    let (to_width, to_height) = (length(width), length(height));
    let mut scaled = Image::new(to_width, to_height, kind);
    let from = ImageRef::new(width, height, pixels, kind).map_err(|_| Error::NotAPicture)?;
    let options = ResizeOptions::new().use_alpha(false).resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom));
    Resizer::new().resize(&from, &mut scaled, &options).map_err(|_| Error::NotAPicture)?;
    ImageBuffer::from_raw(to_width, to_height, scaled.into_vec()).ok_or(Error::NotAPicture)
}

impl From<ImageError> for Error {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooLarge,
            _ => Self::NotAPicture,
        }
    }
}

#[cfg(test)]
mod tests;

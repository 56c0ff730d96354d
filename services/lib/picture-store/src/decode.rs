//! Decodes an upload and re-encodes it as JPEG within bounded memory, on a blocking thread.

use std::io::Cursor;

use image::{
    DynamicImage, ImageBuffer, ImageDecoder, ImageError, Limits, Pixel, Primitive,
    codecs::{
        jpeg::{JpegDecoder, JpegEncoder},
        png::PngDecoder,
    },
    imageops::FilterType,
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
    let (image, orientation) = if raw.starts_with(PNG) {
        pixels(PngDecoder::with_limits(file, limits())?, 0)?
    } else if raw.starts_with(JPEG) {
        let coefficients = jpeg::coefficients(raw).ok_or(Error::NotAPicture)?;
        let mut decoder = JpegDecoder::new(file)?;
        decoder.set_limits(limits())?;
        pixels(decoder, coefficients)?
    } else {
        return Err(Error::NotAPicture);
    };
    let mut small = smaller(on_white(image), side);
    small.apply_orientation(orientation);
    let (width, height, mut file) = (small.width(), small.height(), Vec::new());
    JpegEncoder::new_with_quality(&mut file, QUALITY).encode_image(&small.into_rgb8())?;
    Ok(Jpeg { file, width, height })
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(SIDE);
    limits.max_image_height = Some(SIDE);
    // For metadata only: `pixels` checks the memory of the pixels before it decodes them.
    limits.max_alloc = Some(METADATA);
    limits
}

/// The pixels, and their orientation.
fn pixels(
    mut decoder: impl ImageDecoder,
    coefficients: u64,
) -> Result<(DynamicImage, image::metadata::Orientation), Error> {
    if decoder.total_bytes().saturating_add(coefficients) > MEMORY {
        return Err(Error::TooLarge);
    }
    let orientation = decoder.orientation()?;
    Ok((DynamicImage::from_decoder(decoder)?, orientation))
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

/// Bounded by `side`, never enlarged. A much larger picture is first averaged down to twice the size: the better filter
/// needs a copy in floating point.
fn smaller(image: DynamicImage, side: u32) -> DynamicImage {
    let longest = image.width().max(image.height());
    if longest <= side {
        return image;
    }
    let double = side.saturating_mul(2);
    let image = if longest > double { image.thumbnail(double, double) } else { image };
    image.resize(side, side, FilterType::CatmullRom)
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

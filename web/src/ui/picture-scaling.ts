// Scales a chosen picture in the browser to what the server takes: photos of phones have more pixels and bytes.
import { pictureTypes, UnreadablePicture } from './picture-types';

/** The longest side in pixels, and the largest file in bytes. */
const longestSide = 4_096;
const largestFile = 8 * 1024 * 1024;

/** JPEG qualities, the first that fits is taken. */
const qualities = [0.9, 0.8, 0.65];

/**
 * The file itself if the server takes it, otherwise a copy of at most 4,096 pixels a side and 8 MiB: a PNG if it has transparency and
 * fits, otherwise a JPEG. Browsers turn a photo that was taken sideways, and convert its colours to sRGB.
 */
export async function scalePicture(file: File): Promise<Blob> {
  const isTaken = pictureTypes.includes(file.type) && file.size <= largestFile;
  const address = URL.createObjectURL(file);
  try {
    const photo = await loadPhoto(address);
    if (!photo) {
      // The server says what is wrong with a file that it would take.
      if (isTaken) return file;
      throw new UnreadablePicture();
    }
    const longest = Math.max(photo.naturalWidth, photo.naturalHeight);
    if (isTaken && longest <= longestSide) return file;
    // A drawing of vectors may have no size.
    if (longest === 0) throw new UnreadablePicture();
    return await scaled(photo, file.type !== 'image/jpeg');
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Null for what the browser cannot read. `decode` is no test: Chromium refuses many large photos that it can draw. */
export function loadPhoto(address: string): Promise<HTMLImageElement | null> {
  return new Promise((resolve) => {
    const photo = new Image();
    photo.onload = () => resolve(photo);
    photo.onerror = () => resolve(null);
    photo.src = address;
  });
}

async function scaled(photo: HTMLImageElement, mayBeTransparent: boolean): Promise<Blob> {
  const { naturalWidth: width, naturalHeight: height } = photo;
  for (let side = Math.min(longestSide, Math.max(width, height)); side >= 1; side = Math.floor(side / 2)) {
    const canvas = drawn(photo, side / Math.max(width, height));
    if (mayBeTransparent && isTransparent(canvas)) {
      const png = await encoded(canvas, 'image/png');
      if (png.size <= largestFile) return png;
      fillBelow(canvas);
    }
    for (const quality of qualities) {
      const jpeg = await encoded(canvas, 'image/jpeg', quality);
      if (jpeg.size <= largestFile) return jpeg;
    }
  }
  throw new UnreadablePicture();
}

function drawn(photo: HTMLImageElement, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(photo.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(photo.naturalHeight * scale));
  const context = contextOf(canvas);
  context.imageSmoothingQuality = 'high';
  context.drawImage(photo, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new UnreadablePicture();
  return context;
}

/** Reads rows in bands: all pixels at once would be 64 MiB. */
function isTransparent(canvas: HTMLCanvasElement): boolean {
  const context = contextOf(canvas);
  const band = 256;
  for (let top = 0; top < canvas.height; top += band) {
    const { data } = context.getImageData(0, top, canvas.width, Math.min(band, canvas.height - top));
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  }
  return false;
}

/** JPEG has no transparency; transparent pixels would become black. */
function fillBelow(canvas: HTMLCanvasElement) {
  const context = contextOf(canvas);
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
}

/** A browser without the type, and a canvas that is too large for it, give another type or nothing. */
function encoded(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob?.type === type ? resolve(blob) : reject(new UnreadablePicture())),
      type,
      quality,
    );
  });
}

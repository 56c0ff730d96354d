// Scales photos in the browser before they are sent, to avoid uploads of camera size (specification, section 9).
import { loadPhoto } from '@/ui/picture-scaling';

/** A photo of at most 400 px on its longer side, as a JPEG data URL. Throws if the browser cannot read the file as a picture. */
export async function scaledPhoto(file: Blob): Promise<string> {
  const address = URL.createObjectURL(file);
  try {
    const photo = await decoded(address);
    const scale = Math.min(1, 400 / Math.max(photo.naturalWidth, photo.naturalHeight));
    const width = Math.max(1, Math.round(photo.naturalWidth * scale));
    const height = Math.max(1, Math.round(photo.naturalHeight * scale));
    return drawn(photo, { width, height, quality: 0.8 });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The same photo at 200 x 200, cropped to its centre. */
export async function smallPhoto(dataUrl: string): Promise<string> {
  return drawn(await decoded(dataUrl), { width: 200, height: 200, quality: 0.5 });
}

async function decoded(address: string): Promise<HTMLImageElement> {
  const photo = await loadPhoto(address);
  if (!photo) throw new Error('this browser cannot read the photo');
  return photo;
}

interface Target {
  width: number;
  height: number;
  /** Of the JPEG, 0 to 1. */
  quality: number;
}

/** Fills the target and keeps the proportions. */
function drawn(photo: HTMLImageElement, { width, height, quality }: Target): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser cannot draw');
  // JPEG has no transparency; transparent pixels would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  const scale = Math.max(width / photo.naturalWidth, height / photo.naturalHeight);
  const [across, down] = [photo.naturalWidth * scale, photo.naturalHeight * scale];
  context.imageSmoothingQuality = 'high';
  context.drawImage(photo, (width - across) / 2, (height - down) / 2, across, down);
  const dataUrl = canvas.toDataURL('image/jpeg', quality);
  // The result of a canvas that is too large, or of a browser that refuses.
  if (!dataUrl.startsWith('data:image/jpeg')) throw new Error('this browser cannot write JPEG');
  return dataUrl;
}

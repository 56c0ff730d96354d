// The file that is sent for a chosen picture. The test window decodes and draws nothing, so mocks replace both; e2e
// tests scaling itself in a real browser.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scalePicture } from './picture-scaling';
import { isPicture, UnreadablePicture } from './picture-types';

const mebibyte = 1024 * 1024;

/** The picture that the browser reads from every file; null for a file that it cannot read. */
let photo: { width: number; height: number; clear?: boolean } | null;
/** The bytes of an encoding. */
let sizeOf: (type: string, canvas: { width: number; height: number }, quality?: number) => number;
let canvases: { width: number; height: number; isWhite: boolean }[];

beforeEach(() => {
  photo = { width: 100, height: 100 };
  sizeOf = () => mebibyte;
  canvases = [];
  class LoadedImage {
    naturalWidth = photo?.width;
    naturalHeight = photo?.height;
    onload?: () => void;
    onerror?: () => void;
    set src(_: string) {
      queueMicrotask(() => (photo ? this.onload : this.onerror)?.());
    }
  }
  vi.stubGlobal('Image', LoadedImage);
  const create = document.createElement.bind(document);
  vi.spyOn(document, 'createElement').mockImplementation(((name: string) =>
    name === 'canvas' ? canvas() : create(name)) as typeof document.createElement);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function canvas() {
  const made = { width: 0, height: 0, isWhite: false };
  canvases.push(made);
  const context = {
    drawImage: () => undefined,
    fillRect: () => {
      made.isWhite = true;
    },
    getImageData: (_x: number, _y: number, width: number, height: number) => ({
      data: new Uint8Array(width * height * 4).fill(photo?.clear ? 128 : 255),
    }),
  };
  return Object.assign(made, {
    getContext: () => context,
    toBlob: (done: (blob: Blob | null) => void, type: string, quality?: number) => {
      const blob = new Blob(['x'], { type });
      Object.defineProperty(blob, 'size', { value: sizeOf(type, made, quality) });
      done(blob);
    },
  });
}

function file(type: string, size = mebibyte, name = 'photo') {
  const made = new File(['x'], name, { type });
  Object.defineProperty(made, 'size', { value: size });
  return made;
}

test.each([
  ['image/jpeg', 4096, 4096],
  ['image/png', 4096, 1],
  ['image/jpeg', 1, 1],
])('a %s of %i x %i is sent as it is', async (type, width, height) => {
  photo = { width, height };
  const chosen = file(type, 8 * mebibyte);
  expect(await scalePicture(chosen)).toBe(chosen);
  expect(canvases).toEqual([]);
});

test.each([
  ['a photo of 48 megapixels', 8064, 6048, 4096, 3072],
  ['a panorama', 12000, 2500, 4096, 853],
  ['a long screenshot', 1080, 9000, 492, 4096],
  ['a line', 20000, 1, 4096, 1],
])('%s is scaled to fit', async (_, width, height, toWidth, toHeight) => {
  photo = { width, height };
  const sent = await scalePicture(file('image/jpeg', 20 * mebibyte));
  expect(sent.type).toBe('image/jpeg');
  expect(canvases).toMatchObject([{ width: toWidth, height: toHeight }]);
});

test('a file of too many bytes is encoded again, smaller until it fits', async () => {
  photo = { width: 4000, height: 3000 };
  const tried: unknown[] = [];
  sizeOf = (_, { width }, quality) => {
    tried.push([width, quality]);
    return width > 2000 ? 9 * mebibyte : 8 * mebibyte;
  };
  expect((await scalePicture(file('image/jpeg', 9 * mebibyte))).size).toBe(8 * mebibyte);
  expect(tried).toEqual([
    [4000, 0.9],
    [4000, 0.8],
    [4000, 0.65],
    [2000, 0.9],
  ]);
});

test('a PNG stays one for its transparency, if it fits', async () => {
  photo = { width: 5000, height: 5000, clear: true };
  expect((await scalePicture(file('image/png'))).type).toBe('image/png');
  expect(canvases.at(-1)?.isWhite).toBe(false);
  sizeOf = (type) => (type === 'image/png' ? 9 : 2) * mebibyte;
  expect((await scalePicture(file('image/png'))).type).toBe('image/jpeg');
  expect(canvases.at(-1)?.isWhite, 'transparent pixels do not become black').toBe(true);
  photo = { width: 5000, height: 5000 };
  expect((await scalePicture(file('image/png'))).type).toBe('image/jpeg');
});

test.each([
  ['image/heic', 'IMG_1.HEIC'],
  ['image/webp', 'a.webp'],
  ['image/avif', 'a.avif'],
  ['', 'IMG_1.heic'],
])('%j is converted where the browser reads it, and refused where it does not', async (type, name) => {
  const chosen = file(type, mebibyte, name);
  expect(isPicture(chosen)).toBe(true);
  expect((await scalePicture(chosen)).type).toBe('image/jpeg');
  photo = null;
  await expect(scalePicture(chosen)).rejects.toThrow(UnreadablePicture);
});

test('a broken PNG or JPEG goes to the server, which says so, unless it is too large', async () => {
  photo = null;
  const broken = file('image/png');
  expect(await scalePicture(broken)).toBe(broken);
  await expect(scalePicture(file('image/jpeg', 9 * mebibyte))).rejects.toThrow(UnreadablePicture);
});

test('a browser that cannot encode says so', async () => {
  photo = { width: 5000, height: 5000 };
  const create = vi.mocked(document.createElement).getMockImplementation();
  vi.mocked(document.createElement).mockImplementation(((name: string) =>
    name === 'canvas'
      ? { ...canvas(), toBlob: (done: (blob: null) => void) => done(null) }
      : create?.(name)) as typeof document.createElement);
  await expect(scalePicture(file('image/jpeg'))).rejects.toThrow(UnreadablePicture);
});

test.each(['image/gif', 'image/svg+xml', 'image/tiff', 'application/pdf', 'text/html', ''])(
  '%j is no picture',
  (type) => {
    expect(isPicture(file(type, 1, 'a.png'))).toBe(false);
  },
);

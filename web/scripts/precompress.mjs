// Writes a brotli and a gzip file beside every built asset, so that the gateway compresses nothing while it serves.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url).pathname;
// Excludes index.html: the gateway writes a nonce into every copy. Fonts and pictures are compressed already.
const compressible = /\.(js|css|svg|json|txt|webmanifest)$/;

/**
 * How brotli writes distances (NPOSTFIX and NDIRECT of RFC 7932). Its encoder chooses by a heuristic, and which choice is the
 * smallest varies with the file: about 100 bytes of the largest.
 */
const distances = [
  [0, 0],
  [0, 2],
  [0, 15],
  [1, 4],
  [1, 8],
];

function smallestBrotli(content, settings) {
  const results = settings.map(([postfix, direct]) =>
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
        [constants.BROTLI_PARAM_NDIRECT]: direct,
      },
    }),
  );
  return results.reduce((smallest, one) => (one.length < smallest.length ? one : smallest));
}

let files = 0;
for (const name of readdirSync(dist, { recursive: true })) {
  const path = join(dist, name);
  if (!compressible.test(name) || !statSync(path).isFile()) continue;
  const content = readFileSync(path);
  const brotli = smallestBrotli(content, path.endsWith('.js') ? distances : distances.slice(0, 1));
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  files += 1;
}
console.log(`precompressed ${files} files`);

// The search for the number of a proof of work (ALTCHA): the one whose SHA-256, after the salt, is the challenge.
import type { WorkChallenge } from './schema.gen';

/** Hashes that the browser computes at a time: one after the other would wait for each. */
const batch = 1_000;

/** null if no number up to the maximum fits. */
export async function findNumber({
  challenge,
  salt,
  maxnumber,
}: Pick<WorkChallenge, 'challenge' | 'salt' | 'maxnumber'>): Promise<number | null> {
  const encoder = new TextEncoder();
  const start = Number.parseInt(challenge.slice(0, 8), 16);
  const hash = (number: number) => crypto.subtle.digest('SHA-256', encoder.encode(`${salt}${number}`));
  for (let first = 0; first <= maxnumber; first += batch) {
    const length = Math.min(batch, maxnumber - first + 1);
    const hashes = await Promise.all(Array.from({ length }, (_, index) => hash(first + index)));
    const found = hashes.findIndex(
      (digest) => new DataView(digest).getUint32(0) === start && hex(digest) === challenge,
    );
    if (found >= 0) return first + found;
  }
  return null;
}

const hex = (digest: ArrayBuffer) =>
  [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

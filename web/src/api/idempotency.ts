// Keys that let a request be repeated without being done twice.

/** 128 random bits as hex. Not `crypto.randomUUID`, which a browser lacks on a plain http address. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Idempotency keys, so that a repeated request is applied once.

/** 128 random bits as hex. Not `crypto.randomUUID`, which a browser lacks on a plain http address. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One key per body: an unchanged body reuses its key, a changed body gets a new one. */
export function keyPerBody(): (body: unknown) => string {
  let last = '';
  let key = '';
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last) {
      last = text;
      key = newIdempotencyKey();
    }
    return key;
  };
}

// The stream itself: opened, heard, and opened again when it breaks.
import { type LiveEvent, liveKinds } from './events';

const address = '/api/live';
const shortest = 2_000;
const longest = 60_000;
/** A stream that lived so long was a good one: the next failure is the first again. */
const good = 30_000;

interface Stream {
  hear: (event: LiveEvent) => void;
  /** Asked when the stream broke: false when the session is over, and nothing is to be opened any more. */
  isSignedIn: () => Promise<boolean>;
}

/** Opens the stream; what is returned closes it for good. */
export function openStream({ hear, isSignedIn }: Stream): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let openedAt = 0;
  let closed = false;

  const open = () => {
    clearTimeout(timer);
    timer = undefined;
    openedAt = Date.now();
    const opened = new EventSource(address);
    source = opened;
    for (const kind of liveKinds)
      opened.addEventListener(kind, ({ data }: MessageEvent<string>) => hear({ ...JSON.parse(data), kind }));
    // The gateway goes away, and another is there: that says nothing of the session.
    opened.addEventListener('bye', () => breakOff());
    // The browser would try again by itself, at once and for ever; and a refused stream does not say why.
    opened.onerror = () => {
      breakOff();
      void isSignedIn().then(
        (signedIn) => signedIn || close(),
        () => undefined,
      );
    };
  };

  const breakOff = () => {
    source?.close();
    source = null;
    failures = Date.now() - openedAt > good ? 0 : failures + 1;
    const most = Math.min(longest, shortest * 2 ** Math.max(0, failures - 1));
    // Half of it is random, so that clients do not return at the same time.
    if (!closed) timer = setTimeout(open, most * (0.5 + Math.random() / 2));
  };

  const back = () => {
    if (timer !== undefined) open();
  };

  const close = () => {
    closed = true;
    clearTimeout(timer);
    timer = undefined;
    source?.close();
    window.removeEventListener('online', back);
  };

  window.addEventListener('online', back);
  open();
  return close;
}

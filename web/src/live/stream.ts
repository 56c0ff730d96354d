// The event stream: opens it, dispatches its events, and reopens it after a failure.
import { type LiveEvent, liveKinds } from './events';

const address = '/api/live';
const shortest = 2_000;
const longest = 60_000;
/** A stream that was open this long, in milliseconds, resets the delay. */
const stableAfter = 30_000;

interface StreamOptions {
  onEvent: (event: LiveEvent) => void;
  /** Called when the stream breaks: false after the end of the session, when no stream is to be opened. */
  isSignedIn: () => Promise<boolean>;
}

/** Opens the stream; the returned function closes it permanently. */
export function openStream({ onEvent, isSignedIn }: StreamOptions): () => void {
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
      opened.addEventListener(kind, ({ data }: MessageEvent<string>) =>
        onEvent({ ...JSON.parse(data), kind }),
      );
    // The gateway shuts down and another one takes over; the session is unaffected.
    opened.addEventListener('bye', () => reconnect());
    // The browser would retry at once and forever, and the error does not contain the status.
    opened.onerror = () => {
      reconnect();
      void isSignedIn().then(
        (signedIn) => signedIn || close(),
        () => undefined,
      );
    };
  };

  const reconnect = () => {
    source?.close();
    source = null;
    failures = Date.now() - openedAt > stableAfter ? 0 : failures + 1;
    const most = Math.min(longest, shortest * 2 ** Math.max(0, failures - 1));
    // Half of the delay is jitter, so that clients do not return at the same time.
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

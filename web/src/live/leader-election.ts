// Leader election among tabs: the tab with the lock opens the one stream of the browser and forwards its events.
import type { LiveEvent } from './events';
import { openStream } from './stream';

interface Line {
  /** Whose it is: other members' tabs have a line of their own. */
  memberId: string;
  hear: (event: LiveEvent) => void;
  isSignedIn: () => Promise<boolean>;
}

type Passed = LiveEvent | { kind: 'who leads?' } | { kind: 'I lead' };

/** The timeout of the leader’s announcement. */
const patience = 3_000;

/** Joins the line; what is returned leaves it. Without locks, channels or streams there is none, and a reload shows what is new. */
export function joinElection({ memberId, hear, isSignedIn }: Line): () => void {
  if (!navigator.locks || !window.BroadcastChannel || !window.EventSource) return () => undefined;
  const name = `portia-live:${memberId}`;
  const channel = new BroadcastChannel(name);
  const say = (passed: Passed) => channel.postMessage(passed);
  const left = new AbortController();
  let stop: (() => void) | null = null;
  let following = false;
  let answered = true;

  const lead = () =>
    new Promise<void>((release) => {
      following = false;
      const close = openStream({
        hear: (event) => {
          hear(event);
          say(event);
        },
        isSignedIn,
      });
      stop = () => {
        stop = null;
        close();
        release();
      };
    });

  /** Waits for its turn to lead; once that is over, for the next one. */
  const queue = async () => {
    await navigator.locks.request(name, { signal: left.signal }, lead).catch(() => undefined);
    // It has left, or a tab that got no answer has taken the lock while the browser let this one sleep.
    stop?.();
    if (!left.signal.aborted) void queue();
  };

  channel.onmessage = ({ data }: MessageEvent<Passed>) => {
    if (data.kind === 'who leads?') {
      if (stop) say({ kind: 'I lead' });
    } else if (data.kind === 'I lead') {
      answered = true;
      // What the line said before this tab listened is lost to it.
      if (!following) hear({ kind: 'hello' });
      following = true;
    } else {
      hear(data);
    }
  };

  /** A tab in view does not wait for one that the browser has put to sleep with the lock in its hand. */
  const look = () => {
    if (document.visibilityState !== 'visible' || stop) return;
    answered = false;
    say({ kind: 'who leads?' });
    setTimeout(() => {
      if (answered || stop || left.signal.aborted || document.visibilityState !== 'visible') return;
      const over = () => stop?.();
      void navigator.locks.request(name, { steal: true }, lead).then(over, over);
    }, patience);
  };

  void queue();
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    left.abort();
    document.removeEventListener('visibilitychange', look);
    stop?.();
    channel.close();
  };
}

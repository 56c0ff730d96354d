// Leader election among tabs: the tab with the lock opens the browser's only stream and forwards its events.
import type { LiveEvent } from './events';
import { openStream } from './stream';

interface ElectionOptions {
  /** The signed-in member: tabs of other members have their own election. */
  memberId: string;
  onEvent: (event: LiveEvent) => void;
  isSignedIn: () => Promise<boolean>;
}

type ChannelMessage = LiveEvent | { kind: 'who leads?' } | { kind: 'I lead' };

/** The timeout of the leader's announcement, in milliseconds. */
const announcementTimeout = 3_000;

/** Joins the election; the returned function leaves it. Without locks, channels or streams it does nothing. */
export function joinElection({ memberId, onEvent, isSignedIn }: ElectionOptions): () => void {
  if (!navigator.locks || !window.BroadcastChannel || !window.EventSource) return () => undefined;
  const name = `portia-live:${memberId}`;
  const channel = new BroadcastChannel(name);
  const post = (message: ChannelMessage) => channel.postMessage(message);
  const left = new AbortController();
  let stop: (() => void) | null = null;
  let following = false;
  let answered = true;

  const lead = () =>
    new Promise<void>((release) => {
      following = false;
      const close = openStream({
        onEvent: (event) => {
          onEvent(event);
          post(event);
        },
        isSignedIn,
      });
      stop = () => {
        stop = null;
        close();
        release();
      };
    });

  /** Waits for the lock, and again after losing it. */
  const queue = async () => {
    await navigator.locks.request(name, { signal: left.signal }, lead).catch(() => undefined);
    // This tab has left, or another tab has stolen the lock while the browser suspended this one.
    stop?.();
    if (!left.signal.aborted) void queue();
  };

  channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
    if (data.kind === 'who leads?') {
      if (stop) post({ kind: 'I lead' });
    } else if (data.kind === 'I lead') {
      answered = true;
      // Events before this tab joined are lost to it.
      if (!following) onEvent({ kind: 'hello' });
      following = true;
    } else {
      onEvent(data);
    }
  };

  /** A visible tab does not wait for a suspended leader that holds the lock. */
  const replaceSuspendedLeader = () => {
    if (document.visibilityState !== 'visible' || stop) return;
    answered = false;
    post({ kind: 'who leads?' });
    setTimeout(() => {
      if (answered || stop || left.signal.aborted || document.visibilityState !== 'visible') return;
      const over = () => stop?.();
      void navigator.locks.request(name, { steal: true }, lead).then(over, over);
    }, announcementTimeout);
  };

  void queue();
  replaceSuspendedLeader();
  document.addEventListener('visibilitychange', replaceSuspendedLeader);
  return () => {
    left.abort();
    document.removeEventListener('visibilitychange', replaceSuspendedLeader);
    stop?.();
    channel.close();
  };
}

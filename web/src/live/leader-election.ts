// Leader election among tabs: the tab with the lock opens the browser's only stream, forwards its events, and registers
// what all tabs show.
import type { LiveEvent } from './events';
import { onShownTopics, shownTopics, type Topic } from './interests';
import { createRegistration } from './registration';
import { openStream } from './stream';

interface ElectionOptions {
  /** The signed-in member: tabs of other members have their own election. */
  memberId: string;
  onEvent: (event: LiveEvent) => void;
  isSignedIn: () => Promise<boolean>;
}

type ChannelMessage =
  | LiveEvent
  | { kind: 'who leads?' }
  | { kind: 'I lead' }
  | { kind: 'who shows what?' }
  | { kind: 'I show'; tab: string; topics: Topic[] };

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
  const tab = crypto.randomUUID();
  /** The topics that the other tabs show, as far as a leader knows. */
  const others = new Map<string, Topic[]>();
  let register: (() => void) | null = null;

  const lead = () =>
    new Promise<void>((release) => {
      following = false;
      const everywhere = (event: LiveEvent) => {
        onEvent(event);
        post(event);
      };
      const registration = createRegistration((posts) => everywhere({ kind: 'versions', posts }));
      // This tab is the last and has precedence when there are too many topics.
      register = () => registration.set(lastOfEach([...[...others.values()].flat(), ...shownTopics()]));
      const close = openStream({
        onEvent: (event) => {
          everywhere(event);
          if (event.kind === 'hello' && event.streamId) registration.open(event.streamId);
        },
        isSignedIn,
      });
      others.clear();
      post({ kind: 'who shows what?' });
      register();
      stop = () => {
        stop = null;
        register = null;
        registration.close();
        close();
        release();
      };
    });

  /** Registers what this tab shows, or has the leader do it. */
  const announce = () => (register ? register() : post({ kind: 'I show', tab, topics: shownTopics() }));
  const announceNothing = () => post({ kind: 'I show', tab, topics: [] });
  const stopAnnouncing = onShownTopics(announce);

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
    } else if (data.kind === 'who shows what?') {
      announce();
    } else if (data.kind === 'I show') {
      // Again at the end: the tab that changed last is probably the visible one.
      others.delete(data.tab);
      if (data.topics.length > 0) others.set(data.tab, data.topics);
      register?.();
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
  // A closed tab unmounts nothing; a tab in the back/forward cache may return.
  window.addEventListener('pagehide', announceNothing);
  window.addEventListener('pageshow', announce);
  document.addEventListener('visibilitychange', replaceSuspendedLeader);
  return () => {
    left.abort();
    stopAnnouncing();
    if (!stop) announceNothing();
    window.removeEventListener('pagehide', announceNothing);
    window.removeEventListener('pageshow', announce);
    document.removeEventListener('visibilitychange', replaceSuspendedLeader);
    stop?.();
    channel.close();
  };
}

/** Without duplicates, in the order of the last occurrences. */
const lastOfEach = (topics: Topic[]): Topic[] => [...new Set(topics.toReversed())].toReversed();

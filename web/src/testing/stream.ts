// Fakes of browser APIs for the event stream: locks, channels between tabs, and an EventSource.
import { act } from '@testing-library/react';
import { vi } from 'vitest';
import type { LiveEvent, LiveKind } from '@/live/events';

/** A fake EventSource; the test sends its events. */
class FakeEventSource extends EventTarget {
  static opened: FakeEventSource[] = [];
  onerror: (() => void) | null = null;
  isClosed = false;

  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }

  close() {
    this.isClosed = true;
  }
}

/** A channel between the tabs of one browser; a message arrives a moment later. */
class FakeChannel {
  static all = new Set<FakeChannel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor(readonly name: string) {
    FakeChannel.all.add(this);
  }

  postMessage(data: unknown) {
    for (const other of FakeChannel.all)
      if (other !== this && other.name === this.name)
        queueMicrotask(() => FakeChannel.all.has(other) && other.onmessage?.({ data }));
  }

  close() {
    FakeChannel.all.delete(this);
  }
}

/** Exclusive locks in the order of the requests, with `steal`. */
class FakeLocks {
  private holder = new Map<string, { abort: () => void }>();
  private queue = new Map<string, (() => void)[]>();

  request(name: string, how: LockOptions, callback: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = () => reject(new DOMException('The request was aborted.', 'AbortError'));
      const grant = () => {
        const mine = { abort: aborted };
        this.holder.set(name, mine);
        void callback()
          .then(resolve, reject)
          .finally(() => {
            if (this.holder.get(name) !== mine) return;
            this.holder.delete(name);
            this.queue.get(name)?.shift()?.();
          });
      };
      const { signal } = how;
      if (how.steal) {
        this.holder.get(name)?.abort();
        grant();
      } else if (signal?.aborted) {
        aborted();
      } else if (this.holder.has(name)) {
        const waiting = this.queue.get(name) ?? [];
        this.queue.set(name, waiting);
        waiting.push(grant);
        signal?.addEventListener('abort', () => {
          const at = waiting.indexOf(grant);
          if (at >= 0) waiting.splice(at, 1);
          aborted();
        });
      } else {
        grant();
      }
    });
  }
}

/** Installs the fakes; `afterEach(removeStreamFakes)` removes them. */
export function installStreamFakes() {
  FakeEventSource.opened = [];
  FakeChannel.all.clear();
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  Object.defineProperty(navigator, 'locks', { configurable: true, value: new FakeLocks() });
  const streams = () => FakeEventSource.opened.filter(({ isClosed }) => !isClosed);
  return {
    /** All streams, open and closed. */
    opened: () => FakeEventSource.opened,
    /** The open streams. */
    streams,
    /** Sends an event on every open stream. */
    send: <Kind extends LiveKind | 'bye'>(
      kind: Kind,
      data: Kind extends LiveKind ? Omit<LiveEvent<Kind>, 'kind'> : object,
    ) =>
      act(async () => {
        for (const stream of streams())
          stream.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
      }),
    /** Breaks every open stream. */
    fail: () =>
      act(async () => {
        for (const stream of streams()) stream.onerror?.();
      }),
  };
}

export function removeStreamFakes(): void {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'locks');
}

/** Changes the visibility of this tab. */
export function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

// Outboxes: items that a member wrote and the server has not stored yet. This device keeps and sends them in the order
// of writing, until each item is sent or discarded.
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/error';
import { readDevice, writeDevice } from './device-store';

export interface Unsent {
  /**
   * The client's id of the item, sent as Idempotency-Key: while the server stores the key, a repetition from another tab or
   * after a reload does not store the item twice.
   */
  key: string;
  writtenAt: string;
  /** A request was sent: a server that stops may have stored the item without a response. */
  attempted: boolean;
  /** When the first request was sent, or the first since the member decided on a retry; absent before, and in older items. */
  attemptedAt?: string;
  /**
   * Null while it is being sent. `refused`: a retry alone cannot succeed. `uncertain`: it may be stored, and the server no longer
   * has the key. The others are sent again by themselves.
   */
  failure: 'offline' | 'failed' | 'refused' | 'uncertain' | null;
  /** The server's sentence. */
  refusal: string | null;
  /** The code of the server's sentence, for texts of the client. */
  refusalCode?: string | null;
  /** It cannot be sent: this browser has lost a file. */
  fileLost?: boolean;
}

/** Of an item that is sent again, or waits behind another. */
const noReason = { refusal: null, refusalCode: null, fileLost: false };

interface Outbox<Item extends Unsent> {
  /** Its key on this device. */
  place: string;
  /** Milliseconds for which the server certainly stores a key; absent if it always does. */
  keyLifetime?: number;
  /** Sends an item, shows the result and discards the item. */
  send: (item: Item) => Promise<void>;
  /** Returns the changes to the item after an error of `send`. */
  failureOf: (error: unknown) => Partial<Item> & { failure: NonNullable<Unsent['failure']> };
}

export function parseOutbox<Item extends Unsent>(text: string | null): Item[] {
  try {
    const items: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(items) ? items.filter((one) => typeof one?.key === 'string') : [];
  } catch {
    return [];
  }
}

/** Reads before each change: another tab may have changed the outbox. */
function change<Item extends Unsent>(place: string, update: (items: Item[]) => Item[]): void {
  const items = update(parseOutbox<Item>(readDevice(place)));
  writeDevice(place, items.length > 0 ? JSON.stringify(items) : null);
}

function changeEach<Item extends Unsent>(place: string, update: (item: Item) => Item): void {
  change<Item>(place, (items) => items.map(update));
}

/** A new item. `failure` of its first request, if one was sent. */
export const asUnsent = <Item extends object>(
  key: string,
  item: Item,
  failure: Unsent['failure'] = null,
): Item & Unsent => ({
  ...item,
  key,
  writtenAt: new Date().toISOString(),
  attempted: failure !== null,
  failure,
  refusal: null,
});

/** Puts an item behind the waiting ones, unless it is one of them. `sendOutbox` sends it. */
export function addUnsent<Item extends Unsent>(place: string, item: Item): void {
  change<Item>(place, (items) => (items.some(({ key }) => key === item.key) ? items : [...items, item]));
}

export function discardUnsent(place: string, key: string): void {
  change(place, (items) => items.filter((one) => one.key !== key));
}

/** Whether the item waits for a decision of the member. It does not stop later ones. */
export const needsDecision = ({ failure }: Unsent): boolean =>
  failure === 'refused' || failure === 'uncertain';

/** Makes it one that waits, at its place in the order. */
export function readyUnsent(place: string, key: string): void {
  const retried = { failure: null, ...noReason };
  const decided = { ...retried, attemptedAt: new Date().toISOString() };
  changeEach(place, (one) =>
    one.key === key ? { ...one, ...(needsDecision(one) ? decided : retried) } : one,
  );
}

const firstAttempt = ({ attempted, attemptedAt, writtenAt }: Unsent): string | null =>
  attemptedAt ?? (attempted ? writtenAt : null);

/** Whether another request could store the item twice. */
function isUncertain(item: Unsent, keyLifetime: number): boolean {
  const at = firstAttempt(item);
  return at !== null && Date.now() - Date.parse(at) > keyLifetime;
}

/**
 * The outboxes that this page sends; true if the network has returned meanwhile. Per query client, because each test has its
 * own, and files of tests share their modules.
 */
const sendings = new WeakMap<QueryClient, Map<string, boolean>>();

/** Sends everything that waits, one after another. */
export async function sendOutbox<Item extends Unsent>(
  outbox: Outbox<Item>,
  queryClient: QueryClient,
): Promise<void> {
  const { place, keyLifetime = Number.POSITIVE_INFINITY } = outbox;
  const running = sendings.get(queryClient) ?? new Map<string, boolean>();
  sendings.set(queryClient, running);
  if (running.has(place)) {
    if (parseOutbox(readDevice(place)).every(({ failure }) => failure === null)) return;
    running.set(place, true);
    return;
  }
  do {
    running.set(place, false);
    changeEach(place, (one) =>
      needsDecision(one)
        ? one
        : { ...one, failure: isUncertain(one, keyLifetime) ? 'uncertain' : null, ...noReason },
    );
    await sendInOrder(outbox);
  } while (running.get(place));
  running.delete(place);
}

async function sendInOrder<Item extends Unsent>({ place, send, failureOf }: Outbox<Item>): Promise<void> {
  for (;;) {
    const next = parseOutbox<Item>(readDevice(place)).find(({ failure }) => failure === null);
    if (!next) return;
    // The later ones wait as well: they must not arrive before it.
    const stop = (failure: Unsent['failure'], about?: Partial<Item>) =>
      changeEach<Item>(place, (one) =>
        one.failure === null ? { ...one, failure, ...noReason, ...(one.key === next.key && about) } : one,
      );
    if (!navigator.onLine) {
      stop('offline');
      return;
    }
    const attemptedAt = firstAttempt(next) ?? new Date().toISOString();
    changeEach<Item>(place, (one) => (one.key === next.key ? { ...one, attempted: true, attemptedAt } : one));
    try {
      await send(next);
    } catch (error) {
      const about = failureOf(error);
      if (about.failure !== 'refused') {
        stop(about.failure, about);
        return;
      }
      changeEach<Item>(place, (one) => (one.key === next.key ? { ...one, ...about } : one));
    }
  }
}

/** An ended session, a slow request and a rate limit pass: the item is sent again later. */
const passing = [401, 408, 429];

/** The server refused the item itself. */
export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !passing.includes(error.status);

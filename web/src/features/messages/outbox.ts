// The outbox: unsent messages per conversation on this device, sent in the order of writing until each is sent or discarded.
import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { hasMessage, messageSent, threadKey } from '@/api/conversations';
import { ApiError } from '@/api/error';
import { newIdempotencyKey } from '@/api/idempotency';
import type { RepliedMessage } from '@/api/types';
import { readDevice, writeDevice } from '@/session/device-store';
import { dropFiles } from '@/session/file-store';
import type { ChosenFile } from './chosen-files';
import { FileLost, forgetUploads, uploadFiles } from './file-uploads';
import { boxesOf, boxKey } from './outbox-key';

export interface UnsentMessage {
  /**
   * The client's id of the message, sent as Idempotency-Key, which messaging never forgets: a repetition from another tab
   * or after a reload does not duplicate the message.
   */
  key: string;
  content: string;
  /** Its files, which this browser keeps until it is sent; absent in what an older client has stored. */
  files?: ChosenFile[];
  writtenAt: string;
  /** The quoted message of a reply; absent in what an older client has stored. */
  replyTo?: RepliedMessage | null;
  /** The newest message at the time of writing. */
  after: string | null;
  /** A request was sent: a server that stops may have stored the message without a response. */
  attempted: boolean;
  /** Null while it is being sent. `refused`: a retry alone cannot succeed. The others are sent again by themselves. */
  failure: 'offline' | 'failed' | 'refused' | null;
  /** The server's sentence. */
  refusal: string | null;
  /** Its code, for texts of the client; absent in what an older client has stored. */
  refusalCode?: string | null;
  /** It cannot be sent: this browser has lost a file. */
  fileLost?: boolean;
}

interface Box {
  memberId: string;
  conversationId: string;
}

/** The sending of this page. Per query client, because each test has its own, and files of tests share their modules. */
interface Sending {
  /** Message id -> the key it was sent with, so that its bubble keeps its identity when the response arrives. */
  keys: Map<string, string>;
  /** The boxes that are being sent; true if the network has returned meanwhile. */
  running: Map<string, boolean>;
}
const sendings = new WeakMap<QueryClient, Sending>();

function sendingOf(queryClient: QueryClient): Sending {
  const sending = sendings.get(queryClient) ?? { keys: new Map(), running: new Map() };
  sendings.set(queryClient, sending);
  return sending;
}

/** Message id -> the key it was sent with. */
export const sentKeysOf = (queryClient: QueryClient): ReadonlyMap<string, string> =>
  sendingOf(queryClient).keys;

export function parseBox(text: string | null): UnsentMessage[] {
  try {
    const messages: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(messages) ? messages.filter((one) => typeof one?.key === 'string') : [];
  } catch {
    return [];
  }
}

/** Reads before each change: another tab may have changed the outbox. */
function change(box: Box, update: (messages: UnsentMessage[]) => UnsentMessage[]): void {
  const key = boxKey(box);
  const messages = update(parseBox(readDevice(key)));
  writeDevice(key, messages.length > 0 ? JSON.stringify(messages) : null);
}

const changeEach = (box: Box, update: (message: UnsentMessage) => UnsentMessage) =>
  change(box, (messages) => messages.map(update));

export function discardMessage(box: Box, key: string): void {
  const found = parseBox(readDevice(boxKey(box))).find((one) => one.key === key);
  change(box, (messages) => messages.filter((one) => one.key !== key));
  if (found?.files?.length)
    void dropFiles(
      box.memberId,
      found.files.map(({ id }) => id),
    );
}

/** The outgoing message has arrived as this message. */
export function messageArrived(box: Box, queryClient: QueryClient, key: string, messageId: string): void {
  sendingOf(queryClient).keys.set(messageId, key);
  discardMessage(box, key);
}

export type NewUnsent = Pick<UnsentMessage, 'content' | 'files' | 'after' | 'replyTo'>;

/** Sends a new message after those that wait. */
export function sendMessage(
  box: Box,
  queryClient: QueryClient,
  { content, files, after, replyTo }: NewUnsent,
): void {
  const message: UnsentMessage = {
    key: newIdempotencyKey(),
    content,
    ...(files?.length && { files }),
    writtenAt: new Date().toISOString(),
    replyTo,
    after,
    attempted: false,
    failure: null,
    refusal: null,
  };
  change(box, (messages) => [...messages, message]);
  void sendBox(box, queryClient);
}

/** Sends a refused message again, at its place in the order. */
export function retryMessage(box: Box, queryClient: QueryClient, key: string): void {
  changeEach(box, (one) => (one.key === key ? { ...one, failure: null, refusal: null } : one));
  void sendBox(box, queryClient);
}

/** Sends everything that this member has not sent: after a reload, and when the network or the server has returned. */
export function sendOutbox(memberId: string, queryClient: QueryClient): void {
  for (const conversationId of boxesOf(memberId)) void sendBox({ memberId, conversationId }, queryClient);
}

async function sendBox(box: Box, queryClient: QueryClient): Promise<void> {
  const key = boxKey(box);
  const { running } = sendingOf(queryClient);
  const waiting = parseBox(readDevice(key));
  if (running.has(key)) {
    if (waiting.every(({ failure }) => failure === null)) return;
    running.set(key, true);
    return;
  }
  do {
    running.set(key, false);
    changeEach(box, (one) => (one.failure === 'refused' ? one : { ...one, failure: null, refusal: null }));
    await sendInOrder(box, queryClient);
  } while (running.get(key));
  running.delete(key);
}

async function sendInOrder(box: Box, queryClient: QueryClient): Promise<void> {
  for (;;) {
    const next = parseBox(readDevice(boxKey(box))).find(({ failure }) => failure === null);
    if (!next) return;
    // The later ones wait as well: they must not arrive before it.
    const stop = (refusal: string | null = null, refusalCode: string | null = null) =>
      changeEach(box, (one) =>
        one.failure === null
          ? {
              ...one,
              failure: navigator.onLine ? 'failed' : 'offline',
              refusal: one.key === next.key ? refusal : null,
              refusalCode: one.key === next.key ? refusalCode : null,
            }
          : one,
      );
    if (!navigator.onLine) {
      stop();
      return;
    }
    try {
      await send(box, queryClient, next);
    } catch (error) {
      const refusal = sentenceOf(error);
      const refusalCode = error instanceof ApiError ? error.code : null;
      if (!isRefused(error)) {
        stop(refusal, refusalCode);
        return;
      }
      const fileLost = error instanceof FileLost;
      changeEach(box, (one) =>
        one.key === next.key ? { ...one, failure: 'refused', refusal, refusalCode, fileLost } : one,
      );
    }
  }
}

async function send(box: Box, queryClient: QueryClient, unsent: UnsentMessage): Promise<void> {
  const { key, files = [] } = unsent;
  const { conversationId } = box;
  changeEach(box, (one) => (one.key === key ? { ...one, attempted: true } : one));
  const message = await post(box, unsent).catch((error: unknown) => {
    // The server deletes uploads that wait for a day.
    const expired = error instanceof ApiError && error.status === 400 && forgetUploads(files);
    return expired ? post(box, unsent) : Promise.reject(error);
  });
  sendingOf(queryClient).keys.set(message.id, key);
  messageSent(queryClient, message);
  // A first fetch of the thread that is running may have begun before the message was stored.
  const thread = { queryKey: threadKey(conversationId), fetchStatus: 'fetching' } as const;
  if (!hasMessage(queryClient, conversationId, message.id) && queryClient.isFetching(thread) > 0) {
    await queryClient.cancelQueries(thread);
    void queryClient.refetchQueries({ queryKey: thread.queryKey });
  }
  // After the thread has been notified, so that its row never disappears in between.
  await new Promise<void>((resolve) => notifyManager.schedule(resolve));
  discardMessage(box, key);
}

async function post({ memberId, conversationId }: Box, { key, content, files = [], replyTo }: UnsentMessage) {
  const attached = await uploadFiles(memberId, key, files);
  return read(
    api.POST('/api/conversations/{id}/messages', {
      params: { path: { id: conversationId } },
      body: {
        userId: memberId,
        conversationId,
        content,
        ...attached,
        ...(replyTo && { replyTo: replyTo.id }),
      },
      headers: { 'Idempotency-Key': key },
    }),
  );
}

/** An ended session, a slow request and a rate limit pass: the message is sent again later. */
const passing = [401, 408, 429];
/** These limits last for hours, in which the member may write other messages. */
const longLimits = ['ATTACHMENTS_OF_DAY', 'MESSAGE_REQUESTS_OF_DAY', 'MESSAGE_REQUESTS_WAITING'];

function isRefused(error: unknown): boolean {
  return (
    error instanceof FileLost ||
    (error instanceof ApiError &&
      error.status >= 400 &&
      error.status < 500 &&
      (longLimits.includes(error.code ?? '') || !passing.includes(error.status)))
  );
}

function sentenceOf(error: unknown): string | null {
  return error instanceof ApiError && error.status < 500 ? error.sentence : null;
}

// The outbox of a conversation: its unsent messages and their files.
import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { hasMessage, messageSent, threadKey } from '@/api/conversations';
import { ApiError } from '@/api/error';
import { newIdempotencyKey } from '@/api/idempotency';
import type { RepliedMessage } from '@/api/schema.gen';
import { readDevice } from '@/session/device-store';
import { dropFiles } from '@/session/file-store';
import {
  addUnsent,
  asUnsent,
  discardUnsent,
  isRefused,
  parseOutbox,
  readyUnsent,
  sendOutbox,
  type Unsent,
} from '@/session/outbox';
import type { DraftFile } from './draft-files';
import { FileLost, forgetUploads, uploadFiles } from './file-uploads';
import { boxesOf, boxKey } from './outbox-key';

/** Messaging never forgets the key of a message. */
export interface UnsentMessage extends Unsent {
  content: string;
  /** Its files, which this browser keeps until it is sent; absent in what an older client has stored. */
  files?: DraftFile[];
  /** The quoted message of a reply; absent in what an older client has stored. */
  replyTo?: RepliedMessage | null;
  /** The newest message at the time of writing. */
  after: string | null;
}

interface Box {
  memberId: string;
  conversationId: string;
}

/**
 * Message id -> the key it was sent with, so that its bubble keeps its identity when the response arrives. Per query client,
 * because each test has its own, and files of tests share their modules.
 */
const sentKeys = new WeakMap<QueryClient, Map<string, string>>();

export function sentKeysOf(queryClient: QueryClient): Map<string, string> {
  const keys = sentKeys.get(queryClient) ?? new Map();
  sentKeys.set(queryClient, keys);
  return keys;
}

export const parseBox = parseOutbox<UnsentMessage>;

export function discardMessage(box: Box, key: string): void {
  const found = parseBox(readDevice(boxKey(box))).find((one) => one.key === key);
  discardUnsent(boxKey(box), key);
  if (found?.files?.length)
    void dropFiles(
      box.memberId,
      found.files.map(({ id }) => id),
    );
}

/** The outgoing message has arrived as this message. */
export function messageArrived(box: Box, queryClient: QueryClient, key: string, messageId: string): void {
  sentKeysOf(queryClient).set(messageId, key);
  discardMessage(box, key);
}

export type NewUnsent = Pick<UnsentMessage, 'content' | 'files' | 'after' | 'replyTo'>;

/** Sends a new message after the waiting ones. */
export function sendMessage(
  box: Box,
  queryClient: QueryClient,
  { content, files, after, replyTo }: NewUnsent,
): void {
  const message = { content, ...(files?.length && { files }), replyTo, after };
  addUnsent<UnsentMessage>(boxKey(box), asUnsent(newIdempotencyKey(), message));
  void sendBox(box, queryClient);
}

/** Sends a refused message again, at its place in the order. */
export function retryMessage(box: Box, queryClient: QueryClient, key: string): void {
  readyUnsent(boxKey(box), key);
  void sendBox(box, queryClient);
}

/** Sends everything that this member has not sent: after a reload, and when the network or the server has returned. */
export function sendMessages(memberId: string, queryClient: QueryClient): void {
  for (const conversationId of boxesOf(memberId)) void sendBox({ memberId, conversationId }, queryClient);
}

const sendBox = (box: Box, queryClient: QueryClient): Promise<void> =>
  sendOutbox<UnsentMessage>(
    { place: boxKey(box), send: (message) => send(box, queryClient, message), failureOf },
    queryClient,
  );

async function send(box: Box, queryClient: QueryClient, unsent: UnsentMessage): Promise<void> {
  const { key, files = [] } = unsent;
  const { conversationId } = box;
  const message = await post(box, unsent).catch((error: unknown) => {
    // The server deletes uploads that wait for a day.
    const expired = error instanceof ApiError && error.status === 400 && forgetUploads(files);
    return expired ? post(box, unsent) : Promise.reject(error);
  });
  sentKeysOf(queryClient).set(message.id, key);
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

/** These limits last for hours, in which the member may write other messages. */
const longLimits = ['ATTACHMENTS_OF_DAY', 'MESSAGE_REQUESTS_OF_DAY', 'MESSAGE_REQUESTS_WAITING'];

function failureOf(error: unknown) {
  const fileLost = error instanceof FileLost;
  const answer = error instanceof ApiError ? error : null;
  const isFinal = fileLost || isRefused(error) || longLimits.includes(answer?.code ?? '');
  return {
    failure: isFinal ? ('refused' as const) : navigator.onLine ? ('failed' as const) : ('offline' as const),
    refusal: answer && answer.status < 500 ? answer.sentence : null,
    refusalCode: answer?.code ?? null,
    fileLost,
  };
}

// The outgoing messages of a thread: the messages in its outbox that have not arrived.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Message, User } from '@/api/schema.gen';
import { useDeviceValue } from '@/session/use-device-value';
import { isAttached } from './draft-files';
import {
  discardMessage,
  messageArrived,
  type NewUnsent,
  parseBox,
  retryMessage,
  sendMessage,
  sentKeysOf,
  type UnsentMessage,
} from './outbox';
import { boxKey } from './outbox-key';

interface Thread {
  messages: Message[];
  outgoing: UnsentMessage[];
  /** The signed-in member. */
  me: string;
  /** Message id -> the key it was sent with. */
  sentKeys: ReadonlyMap<string, string>;
}

/**
 * Message id -> key of outgoing messages that have arrived without or before a response. The server does not return the
 * key: an outgoing message has arrived if the thread has an own message with the same text and files after `after`.
 */
export function arrivalsOf({ outgoing, messages, me, sentKeys }: Thread): Map<string, string> {
  const arrivals = new Map<string, string>();
  const sent = outgoing.filter(({ attempted, failure }) => attempted && failure !== 'refused');
  const [failed, sending] = [sent.filter(hasFailed), sent.filter((one) => !hasFailed(one))];
  // Two equal messages may be outgoing: a fetched one counts as the first of them until its response arrives.
  for (const { key, content, files = [], after } of [...sending, ...failed]) {
    const before = messages.findIndex(({ id }) => id === after);
    if (after !== null && before < 0) continue;
    const same = messages.slice(before + 1).find(
      (message) =>
        message.userId === me &&
        // The server normalises text to NFC.
        message.content === content.normalize() &&
        isAttached(files, message) &&
        !sentKeys.has(message.id) &&
        !arrivals.has(message.id),
    );
    if (same) arrivals.set(same.id, key);
  }
  return arrivals;
}

const hasFailed = ({ failure }: UnsentMessage): boolean => failure !== null;

interface OutgoingMessages {
  outgoing: UnsentMessage[];
  sentKeys: ReadonlyMap<string, string>;
  send: (message: NewUnsent) => void;
  retry: (key: string) => void;
  discard: (key: string) => void;
}

export function useOutgoingMessages(me: User, conversationId: string, messages: Message[]): OutgoingMessages {
  const queryClient = useQueryClient();
  const memberId = me.id;
  const text = useDeviceValue(boxKey({ memberId, conversationId }));
  const outgoing = useMemo(() => parseBox(text), [text]);
  const sentKeys = sentKeysOf(queryClient);

  // A message that has arrived after all has not failed: it is neither retried nor discarded.
  useEffect(() => {
    const failed = new Set(outgoing.filter(hasFailed).map((one) => one.key));
    if (failed.size === 0) return;
    for (const [id, sentAs] of arrivalsOf({ outgoing, messages, me: memberId, sentKeys }))
      if (failed.has(sentAs)) messageArrived({ memberId, conversationId }, queryClient, sentAs, id);
  });

  const box = { memberId, conversationId };
  return {
    outgoing,
    sentKeys,
    send: (message) => sendMessage(box, queryClient, message),
    retry: (unsent) => retryMessage(box, queryClient, unsent),
    discard: (unsent) => discardMessage(box, unsent),
  };
}

// The rows of a thread: the messages with their days and runs, then the outgoing messages.
import type { Message, RepliedMessage } from '@/api/schema.gen';
import type { DraftFile } from './draft-files';
import { onOneDay } from './message-time';
import type { UnsentMessage } from './outbox';
import { arrivalsOf } from './outgoing-messages';

export interface Row {
  /** The same key for an outgoing message and its delivered message. */
  key: string;
  /** The server's id; null for an outgoing message. */
  id: string | null;
  /** Null for an outgoing message. */
  message: Message | null;
  replyTo: RepliedMessage | null;
  content: string;
  /** The files of an outgoing message. */
  files: DraftFile[];
  at: string;
  own: boolean;
  /** The first message of its day. */
  startsDay: boolean;
  /** The first message that was unread when the thread was opened, until the member writes. */
  startsUnread: boolean;
  /** The first of several messages by one author. */
  startsRun: boolean;
  /** The last of several messages by one author; its corner points at the author. */
  endsRun: boolean;
  /** The last delivered message of the member. */
  isLastOwn: boolean;
  /** The delivery state of the member's own message. */
  state: 'waiting' | 'sending' | 'failed' | 'sent' | 'read';
  refusal: string | null;
  /** Its code. */
  refusalCode: string | null;
  /** This browser has lost a file of the outgoing message. */
  fileLost: boolean;
}

interface ThreadState {
  messages: Message[];
  outgoing: UnsentMessage[];
  /** The signed-in member. */
  me: string;
  /** Message id -> the key it was sent with. */
  sentKeys: ReadonlyMap<string, string>;
  /** There is an older page, so the first message may not be the first of its day. */
  hasOlder: boolean;
  /** The id of the first message that was unread on opening. */
  unreadFrom: string | null;
}

export function rowsOf({ messages, outgoing, me, sentKeys, hasOlder, unreadFrom }: ThreadState): Row[] {
  const keyOf = (id: string) => sentKeys.get(id) ?? id;
  const arrivals = arrivalsOf({ outgoing, messages, me, sentKeys });
  const arrived = new Set([...arrivals.values(), ...messages.map(({ id }) => keyOf(id))]);
  const lines = [
    ...messages.map((message) => ({
      key: arrivals.get(message.id) ?? keyOf(message.id),
      id: message.id,
      message,
      replyTo: message.replyTo ?? null,
      content: message.content,
      files: [],
      at: message.createdAt,
      own: message.userId === me && !message.systemLine,
      author: message.systemLine ? message.id : message.userId,
      state: message.isRead ? ('read' as const) : ('sent' as const),
      refusal: null,
      refusalCode: null,
      fileLost: false,
    })),
    ...outgoing
      .filter(({ key }) => !arrived.has(key))
      .map(
        ({
          key,
          content,
          files = [],
          writtenAt,
          replyTo,
          failure,
          refusal,
          refusalCode = null,
          fileLost = false,
        }) => ({
          key,
          id: null,
          message: null,
          replyTo: replyTo ?? null,
          content,
          files,
          at: writtenAt,
          own: true,
          author: me,
          state: stateOf(failure),
          refusal,
          refusalCode,
          fileLost,
        }),
      ),
  ];
  const lastOwn = lines.findLast(({ own, id }) => own && id !== null)?.key;
  const unreadAt = unreadFrom ? lines.findIndex(({ id }) => id === unreadFrom) : -1;
  const isAnswered = lines.slice(unreadAt).some(({ own }) => own);
  return lines.map(({ author, ...line }, at) => {
    const [before, after] = [lines[at - 1], lines[at + 1]];
    const startsDay = before ? !onOneDay(before.at, line.at) : !hasOlder;
    return {
      ...line,
      startsDay,
      startsUnread: at === unreadAt && !isAnswered,
      startsRun: !before || before.author !== author || !onOneDay(before.at, line.at),
      endsRun: !after || after.author !== author || !onOneDay(line.at, after.at),
      isLastOwn: line.key === lastOwn,
    };
  });
}

function stateOf(failure: UnsentMessage['failure']): Row['state'] {
  if (failure === null) return 'sending';
  return failure === 'offline' ? 'waiting' : 'failed';
}

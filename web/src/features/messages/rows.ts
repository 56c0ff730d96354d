// What a thread shows, line by line: the messages with their days and runs, and at the end what is on its way.
import type { Message } from '@/api/types';
import { onOneDay } from './message-time';
import { arrivalsOf, keyOf, type Outgoing } from './sending';

export interface Row {
  /** The same for a message on its way and for the same message once it has arrived. */
  key: string;
  /** The server's; null for what is on its way. */
  id: string | null;
  content: string;
  at: string;
  own: boolean;
  /** The first of its day. */
  startsDay: boolean;
  /** The last of several by one person: its corner points at them. */
  endsRun: boolean;
  /** Of one's own: how far it has come. */
  state: 'sending' | 'failed' | 'sent' | 'read';
  refusal: string | null;
}

interface Whole {
  messages: Message[];
  outgoing: Outgoing[];
  /** Whose screen it is. */
  me: string;
  /** There is more before the first message, which may not be the first of its day. */
  hasOlder: boolean;
}

export function rowsOf({ messages, outgoing, me, hasOlder }: Whole): Row[] {
  const arrivals = arrivalsOf(outgoing, messages, me);
  const arrived = new Set(arrivals.values());
  const lines = [
    ...messages.map(({ id, userId, content, createdAt, isRead }) => ({
      key: arrivals.get(id) ?? keyOf(id),
      id,
      content,
      at: createdAt,
      own: userId === me,
      state: isRead ? ('read' as const) : ('sent' as const),
      refusal: null,
    })),
    ...outgoing
      .filter(({ key }) => !arrived.has(key))
      .map(({ key, content, writtenAt, state, refusal }) => ({
        key,
        id: null,
        content,
        at: writtenAt,
        own: true,
        state: state === 'failed' ? ('failed' as const) : ('sending' as const),
        refusal,
      })),
  ];
  return lines.map((line, at) => {
    const [before, after] = [lines[at - 1], lines[at + 1]];
    return {
      ...line,
      startsDay: before ? !onOneDay(before.at, line.at) : !hasOlder,
      endsRun: !after || after.own !== line.own || !onOneDay(line.at, after.at),
    };
  });
}

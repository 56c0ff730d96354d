// A change of the group, between the bubbles.
import type { Message } from '@/api/schema.gen';
import { useSystemLine } from './system-line';
import { useThread } from './thread-context';

export function SystemLineText({ message }: { message: Message }) {
  const { me } = useThread();
  const textOf = useSystemLine(me.id);
  return (
    <p className="py-1.5 text-center text-micro text-pretty text-muted-foreground wrap-anywhere">
      {message.systemLine && textOf(message.systemLine, message.sender ?? null)}
    </p>
  );
}

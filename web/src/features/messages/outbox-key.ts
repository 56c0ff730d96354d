// Where the outbox of a conversation is stored on this device.
import { deviceKey, deviceKeys } from '@/session/device-store';

const name = 'outbox:';

export const boxKey = ({ memberId, conversationId }: { memberId: string; conversationId: string }): string =>
  deviceKey(memberId, `${name}${conversationId}`);

/** The conversations with unsent messages of this member. */
export function boxesOf(memberId: string): string[] {
  const start = deviceKey(memberId, name);
  return deviceKeys(start).map((key) => key.slice(start.length));
}

// Where the unsent posts and comments of a member are stored on this device.
import { deviceKey } from '@/session/device-store';

/** One outbox for all of them: they are sent in the order of writing. */
export const postingsKey = (memberId: string): string => deviceKey(memberId, 'postings');

// What the role of the signed-in member in a community allows.
import type { Community } from '@/api/types';

/** Whether the member removes members and content. */
export const moderates = ({ role }: Pick<Community, 'role'>): boolean =>
  role === 'owner' || role === 'moderator';

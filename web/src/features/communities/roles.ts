// The permissions of the signed-in member's role in a community.
import type { Community } from '@/api/schema.gen';

/** Whether the member removes members and content. */
export const moderates = ({ role }: Pick<Community, 'role'>): boolean =>
  role === 'owner' || role === 'moderator';

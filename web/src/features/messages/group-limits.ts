// The sizes of groups, as messaging enforces them.
import { limits } from '@/api/limits.gen';

export const groupSize = {
  /** Other members of a new group. */
  leastOthers: 2,
  /** All members. */
  most: limits.CreateGroup.memberIds.max + 1,
};

// The reasons that a decision can state.
import type { DecisionReason } from '@/api/schema.gen';

/** For a removal, an upheld removal and a suspension. */
export const violations = [
  'spam',
  'harassment',
  'false-information',
  'impersonation',
  'privileged-information',
  'illegal',
  'other',
] as const satisfies DecisionReason[];

/** For a dismissal, an overturned removal and a restoration. */
export const releases = ['no-violation', 'resolved', 'other'] as const satisfies DecisionReason[];

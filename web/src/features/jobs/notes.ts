// The limit of a member's notes on an application, and their unsaved text.
import { limits } from '@/api/limits.gen';
import type { DraftKind } from '@/session/drafts';

/** Characters. */
export const notesAtMost = limits.ApplyForJob.notes.max;

/** Changed notes; null while they are unchanged, '' if all text was removed. */
export const notesDraft: DraftKind<string | null> = {
  empty: null,
  isEmpty: (text) => text === null,
  parse: (value) => (typeof value === 'string' ? value : null),
};

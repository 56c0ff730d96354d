// The limit of a member's notes on an application.
import { limits } from '@/api/limits.gen';

/** Characters. */
export const notesAtMost = limits.ApplyForJob.notes.max;

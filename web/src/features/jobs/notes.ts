// The limit of a member's notes on an application.

/** Characters. */
export const notesAtMost = 4_000;

// What a member writes to themselves about an application.

/** Characters. */
export const notesAtMost = 4_000;

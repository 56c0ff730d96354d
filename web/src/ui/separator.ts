// The dot between short facts in one line of text. Its spaces do not break, so that no line begins or ends with it.

export const separator = '\u00a0·\u00a0';

/** The facts there are, with dots between them. */
export const joined = (...facts: (string | false | null | undefined)[]): string =>
  facts.filter(Boolean).join(separator);

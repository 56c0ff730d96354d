// The stored state of the checklist per member: the home screen shows it at its first paint or not at all.

type Checklist = 'open' | 'done';

const keyOf = (memberId: string) => `portia-checklist:${memberId}`;

/** Null if nothing is stored. */
export function rememberedChecklist(memberId: string): Checklist | null {
  try {
    const value = localStorage.getItem(keyOf(memberId));
    return value === 'open' || value === 'done' ? value : null;
  } catch {
    return null;
  }
}

export function rememberChecklist(memberId: string, checklist: Checklist): void {
  try {
    localStorage.setItem(keyOf(memberId), checklist);
  } catch {
    // Storage can be forbidden: the checklist then appears with the answer of the server.
  }
}

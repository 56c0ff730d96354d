// The member whose reads this browser keeps copies of (stored-responses.ts). Apart, because the landing page needs no more of it.
import type { Keeper } from './stored-responses';

let settle: () => void = () => undefined;
const known = new Promise<void>((settled) => {
  settle = settled;
});

export const keeper: Keeper = { memberId: undefined, known };

/** Marks that copies may exist. */
const mark = 'portia-kept';

/** Call after every change of the session. */
export function changeKeeper(memberId: string | null): void {
  keeper.memberId = memberId;
  settle();
  try {
    if (memberId) localStorage.setItem(mark, '');
    else if (localStorage.getItem(mark) === null) return;
    else localStorage.removeItem(mark);
  } catch {
    // Storage is forbidden.
  }
  void import('./stored-responses').then(
    ({ forgetOthers }) => forgetOthers(keeper),
    () => undefined,
  );
}

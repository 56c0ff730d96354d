// Whether this browser is solving a proof of work: a form says why it takes longer.

let running = 0;
/** Called when the first one begins, and when the last one ends. */
export const provingListeners = new Set<() => void>();

export const isProving = (): boolean => running > 0;

export async function countProof<Solution>(proof: Promise<Solution>): Promise<Solution> {
  count(1);
  try {
    return await proof;
  } finally {
    count(-1);
  }
}

function count(change: number) {
  running += change;
  for (const listener of provingListeners) listener();
}

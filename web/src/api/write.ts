// Sends a write, and repeats it once after the member has signed in again because the session had ended.

import { renewSession } from './renewal';
import type { Problem } from './types';

/** The codes of a 401 that means the end of the session; a wrong password has another one. */
const sessionCodes = ['SIGN_IN_REQUIRED', 'SESSION_ENDED'];

/** The repeated request is a copy, with the same Idempotency-Key. */
export async function sendWrite(request: Request): Promise<Response> {
  // A request that was sent has no body left.
  const copy = request.clone();
  const response = await globalThis.fetch(request);
  if (response.status !== 401) return response;
  const problem = await problemOf(response.clone());
  if (!problem?.code || !sessionCodes.includes(problem.code)) return response;
  const renewal = await renewSession();
  if (renewal === 'renewed') return globalThis.fetch(copy);
  if (renewal === 'cancelled') return response;
  const refusal = { ...problem, code: 'MEMBER_CHANGED', error: renewal.sentence };
  return new Response(JSON.stringify(refusal), { status: 401, headers: response.headers });
}

async function problemOf(response: Response): Promise<Partial<Problem> | null> {
  try {
    return (await response.json()) as Partial<Problem> | null;
  } catch {
    return null;
  }
}

// Repeats a request once after the member has signed in again because the session had ended, or has proved again who they are
// because the last proof was too old. Loads with the first 401 or 403.
import { cacheOwner } from './cache-owner';
import { renewSession } from './renewal';
import type { Problem } from './schema.gen';
import { fetchSession } from './session';
import { proveAgain, required, stepUpCode } from './step-up';

/** The codes of a 401 that means the end of the session; a wrong password has another one. */
const sessionCodes = ['SIGN_IN_REQUIRED', 'SESSION_ENDED', 'SESSION_EXPIRED'];

/** The member closed the dialog: a screen of failed reads must not open it again and again. */
let isDeclined = false;

/** `send` sends the refused request, a write with the same Idempotency-Key. Returns the response for the caller. */
export async function repeatRequest(
  isWrite: boolean,
  send: () => Promise<Response>,
  refused: Response,
): Promise<Response> {
  const problem = await problemOf(refused.clone());
  if (problem?.code === stepUpCode) {
    required.secondFactor = problem.fields?.oneTimeCode !== undefined;
    return (await proveAgain()) === 'proved' ? send() : refused;
  }
  if (!problem?.code || !sessionCodes.includes(problem.code)) return refused;
  if (isDeclined && !isWrite) return refused;
  // Removes what this browser stores of the member, unless another tab has signed in meanwhile.
  if (cacheOwner.memberId) await fetchSession().catch(() => undefined);
  const renewal = await renewSession();
  isDeclined = renewal === 'cancelled';
  if (renewal === 'renewed') return send();
  if (renewal === null || renewal === 'cancelled') return refused;
  const refusal = { ...problem, code: 'MEMBER_CHANGED', error: renewal.sentence };
  return new Response(JSON.stringify(refusal), { status: 401, headers: refused.headers });
}

async function problemOf(response: Response): Promise<Partial<Problem> | null> {
  try {
    return (await response.json()) as Partial<Problem> | null;
  } catch {
    return null;
  }
}

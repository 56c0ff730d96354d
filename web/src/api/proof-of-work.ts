// A registration with a proof of work, which the server asks for when many people register from one network. Loads then.
import { apiErrorFrom } from '@/api/error';
import type { Problem, Registration, User, WorkChallenge } from '@/api/types';
// A path: Trusted Types accept the address of an own worker only (trusted-types.ts).
import workerUrl from './proof-of-work-worker.ts?worker&url';

/** A challenge may expire, on a device that sleeps meanwhile. */
const maxChallenges = 2;

/** Registers, and solves the challenge of a refusal: the first request of it gets one. */
export async function registerWithProof(body: Registration): Promise<User> {
  let response = await send(body);
  for (let solved = 0; solved < maxChallenges && response.status === 429; solved++) {
    const { challenge } = (await response.clone().json()) as Partial<Problem>;
    const proofOfWork = challenge && (await solve(challenge));
    if (!proofOfWork) break;
    response = await send({ ...body, proofOfWork });
  }
  if (!response.ok) throw await apiErrorFrom(response);
  return response.json() as Promise<User>;
}

// Not by the client of the other requests: its errors have no challenge, which only this screen needs.
const send = (body: Registration): Promise<Response> =>
  fetch('/api/auth/register', {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The solution as ALTCHA encodes it; null if this browser cannot find it. */
async function solve(challenge: WorkChallenge): Promise<string | null> {
  const { algorithm, challenge: wanted, salt, signature } = challenge;
  const number = await searchInWorker(challenge).catch(() => null);
  return number === null
    ? null
    : btoa(JSON.stringify({ algorithm, challenge: wanted, number, salt, signature }));
}

function searchInWorker(challenge: WorkChallenge): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<number | null>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = reject;
    worker.postMessage(challenge);
  });
}

// A registration with a proof of work, which the server asks for when many people register from one network. Loads then.
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import type { Registration, User, WorkChallenge } from '@/api/types';

/** A challenge may expire, on a device that sleeps meanwhile. */
const attempts = 2;

/** Repeats the registration with the solution of the challenge of its refusal. */
export async function registerWithProof(body: Registration, refused: ApiError): Promise<User> {
  let refusal = refused;
  for (let attempt = 0; attempt < attempts && refusal.challenge; attempt++) {
    const proofOfWork = await solve(refusal.challenge);
    if (proofOfWork === null) break;
    try {
      return await read(api.POST('/api/auth/register', { body: { ...body, proofOfWork } }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** The solution as ALTCHA encodes it; null if this browser cannot find it. */
async function solve(challenge: WorkChallenge): Promise<string | null> {
  const { algorithm, challenge: wanted, salt, signature } = challenge;
  const number = await searchInWorker(challenge).catch(() => null);
  return number === null
    ? null
    : btoa(JSON.stringify({ algorithm, challenge: wanted, number, salt, signature }));
}

function searchInWorker(challenge: WorkChallenge): Promise<number | null> {
  const worker = new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), { type: 'module' });
  const found = new Promise<number | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(challenge);
  });
  return found.finally(() => worker.terminate());
}

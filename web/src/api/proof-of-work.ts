// Repeats a request with a proof of work: the server asks for it when many people register from one network, or when strangers guess
// the password of an account. Loads with the first 429.

// A path: Trusted Types accept the address of an own worker only (trusted-types.ts).
import workerUrl from './proof-of-work-worker.ts?worker&url';
import { countProof } from './proof-status';
import type { Problem, WorkChallenge } from './schema.gen';

/** A challenge may expire, on a device that sleeps meanwhile. */
const maxChallenges = 2;

/** Solves the challenge of a refusal, and sends the request with the solution in its body. Returns the response for the caller. */
export async function repeatWithProof(
  refused: Response,
  { url, method, credentials, headers }: Request,
  body: ArrayBuffer,
  send: typeof fetch,
): Promise<Response> {
  const fields = body.byteLength > 0 ? JSON.parse(new TextDecoder().decode(body)) : {};
  const ofJson = new Headers(headers);
  ofJson.set('Content-Type', 'application/json');
  let response = refused;
  for (let solved = 0; solved < maxChallenges && response.status === 429; solved++) {
    const challenge = await challengeOf(response.clone());
    const proofOfWork = challenge && (await countProof(solve(challenge)));
    if (!proofOfWork) break;
    response = await send(
      new Request(url, {
        method,
        credentials,
        headers: ofJson,
        body: JSON.stringify({ ...fields, proofOfWork }),
      }),
    );
  }
  return response;
}

async function challengeOf(response: Response): Promise<WorkChallenge | undefined> {
  try {
    return ((await response.json()) as Partial<Problem> | null)?.challenge;
  } catch {
    return undefined;
  }
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

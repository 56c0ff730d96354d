// The worker of a proof of work: the page stays responsive meanwhile.
import { findNumber } from './find-number';
import type { WorkChallenge } from './schema.gen';

self.onmessage = async ({ data }: MessageEvent<WorkChallenge>) => {
  // An error reaches the page as null: it shows the refusal.
  self.postMessage(await findNumber(data).catch(() => null));
};

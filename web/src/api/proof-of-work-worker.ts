// The worker of a proof of work: the page stays responsive meanwhile.
import type { WorkChallenge } from '@/api/types';
import { findNumber } from './find-number';

self.onmessage = async ({ data }: MessageEvent<WorkChallenge>) => {
  // An error reaches the page as null: it shows the refusal.
  self.postMessage(await findNumber(data).catch(() => null));
};

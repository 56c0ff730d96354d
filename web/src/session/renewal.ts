// The sign-in in place, and the proof in place, that wait for the member.
import type { Renewal } from '@/api/renewal';
import type { StepUp } from '@/api/step-up';
import { createQuestion } from './question';

/** Asked when the session has ended. */
export const renewalQuestion = createQuestion<Renewal>();

/** Asked when the last proof is too old. */
export const stepUpQuestion = createQuestion<StepUp>();

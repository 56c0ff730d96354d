// Asks the member for a proof when the server refuses a request because the last one is too old. The session layer provides
// the answer.
import { ApiError } from './error';

export type StepUp = 'proved' | 'cancelled';

/** The code of a refusal without a recent proof. */
export const stepUpCode = 'STEP_UP_REQUIRED';

/** The proof that the member must give; the dialog reads it when it opens. */
export const required = {
  /** The account has an authenticator app: the password is not enough. */
  secondFactor: false,
};

type Prove = () => Promise<StepUp>;

let prove: Prove | null = null;

/** Sets the provider while a member is signed in; the returned function removes it. */
export function provideStepUp(provider: Prove): () => void {
  prove = provider;
  return () => {
    if (prove === provider) prove = null;
  };
}

export async function proveAgain(): Promise<StepUp> {
  return prove ? prove() : 'cancelled';
}

/** The member closed the dialog: the action needs no message. */
export const isStepUpDeclined = (error: unknown): boolean =>
  error instanceof ApiError && error.code === stepUpCode;

// The sign-in and the proof over the screen, and the question before a sign-out; their code loads when the session has ended, a
// request needs a recent proof, or a sign-out would lose something.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { deviceOwner } from '@/api/device-owner';
import { ApiError } from '@/api/error';
import { provideRenewal } from '@/api/renewal';
import type { User } from '@/api/schema.gen';
import { provideStepUp } from '@/api/step-up';
import { withTexts } from '@/i18n/load-texts';
import { renewalQuestion, stepUpQuestion } from '@/session/renewal';
import { signOutQuestion } from '@/session/sign-out-question';
import { lazy } from '@/ui/lazy';

const SignInAgain = lazy(
  async () => (await withTexts(import('@/features/auth/sign-in-again'), 'auth', 'forms')).SignInAgain,
);

const ProveAgain = lazy(
  async () => (await withTexts(import('@/features/auth/prove-again'), 'auth')).ProveAgain,
);

const loadSignOutQuestion = async () =>
  (await withTexts(import('@/features/auth/sign-out-question'), 'auth')).SignOutQuestion;
const SignOutQuestion = lazy(loadSignOutQuestion);

/** While this member is signed in, a write that finds the session ended opens the dialog. */
export function SessionRenewal({ member }: { member: User }) {
  const queryClient = useQueryClient();
  const renewal = renewalQuestion.useCurrent();
  const stepUp = stepUpQuestion.useCurrent();
  const signOut = signOutQuestion.useCurrent();
  const [isShared, setShared] = useState(false);

  // The end of a session may take the cookie of the device with it: the dialog asks for what was chosen before.
  useEffect(() => {
    if (!renewal) setShared(deviceOwner() !== member.id);
  }, [member.id, renewal]);
  // Must be here when the member signs out without a network. Elsewhere the service worker has it.
  useEffect(() => {
    if (deviceOwner() !== member.id) void loadSignOutQuestion().catch(() => undefined);
  }, [member.id]);

  useEffect(
    () =>
      provideRenewal(async () => {
        const outcome = await renewalQuestion.ask(member);
        if (outcome === 'renewed')
          void queryClient.refetchQueries({
            type: 'active',
            predicate: ({ state: { error } }) => error instanceof ApiError && error.status === 401,
          });
        return outcome;
      }),
    [member, queryClient],
  );
  useEffect(() => provideStepUp(() => stepUpQuestion.ask(member)), [member]);
  // Nothing can answer a question whose screen is gone.
  useEffect(
    () => () => {
      renewalQuestion.current()?.settle('cancelled');
      stepUpQuestion.current()?.settle('cancelled');
      signOutQuestion.current()?.settle('stay');
    },
    [],
  );

  return (
    <>
      {stepUp && <ProveAgain />}
      {renewal && <SignInAgain isShared={isShared} />}
      {signOut && <SignOutQuestion />}
    </>
  );
}

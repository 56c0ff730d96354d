// The sign-in over the screen; its code loads when the session has ended.
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { ApiError } from '@/api/error';
import { provideRenewal } from '@/api/renewal';
import type { User } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';
import { pendingRenewal, requestRenewal, useRenewal } from '@/session/renewal';

const SignInAgain = lazy(async () => {
  const [{ SignInAgain }] = await Promise.all([
    import('@/features/auth/sign-in-again'),
    loadTexts('auth', 'forms'),
  ]);
  return { default: SignInAgain };
});

/** While this member is signed in, a write that finds the session ended opens the dialog. */
export function SessionRenewal({ member }: { member: User }) {
  const queryClient = useQueryClient();
  const renewal = useRenewal();

  useEffect(
    () =>
      provideRenewal(async () => {
        const outcome = await requestRenewal(member);
        if (outcome === 'renewed')
          void queryClient.refetchQueries({
            type: 'active',
            predicate: ({ state: { error } }) => error instanceof ApiError && error.status === 401,
          });
        return outcome;
      }),
    [member, queryClient],
  );
  // Nothing can answer a question whose screen is gone.
  useEffect(() => () => pendingRenewal()?.settle('cancelled'), []);

  return (
    renewal && (
      <Suspense>
        <SignInAgain />
      </Suspense>
    )
  );
}

// The button of the sign-in card that signs in with a passkey.
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { Me } from '@/api/session';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { isCancelled } from './ceremony-errors';

interface PasskeySignInProps {
  isShared: () => boolean;
  onSignedIn: (signedIn: Me & { reopened?: boolean }) => void;
  onRefused: (error: unknown) => void;
}

export function PasskeySignIn({ isShared, onSignedIn, onRefused }: PasskeySignInProps) {
  const { t } = useTranslation('auth');
  const signIn = useMutation({
    mutationFn: async () => (await import('./ceremony')).signInWithPasskey(isShared()),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (!isCancelled(error)) onRefused(error);
    },
  });
  return (
    <Button
      variant="outline"
      className="h-11"
      busy={signIn.isPending}
      busyLabel={t('signingIn')}
      onClick={() => signIn.mutate()}
    >
      <KeyRound className="icon-sm" />
      {t('passkey.signIn')}
    </Button>
  );
}

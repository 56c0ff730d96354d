// Creates recovery codes: a button, the password if the server requires it, then the eight codes, shown once.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { recoveryCodesQuery } from '@/api/queries';
import type { User } from '@/api/types';
import { loadTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { requiresPassword } from './reauthentication';
import { rememberOffer } from './recovery-offer';

const loadParts = async () => {
  const [parts] = await Promise.all([import('./code-generator-parts'), loadTexts('account', 'auth')]);
  return parts;
};
const CodeList = lazy(async () => ({ default: (await loadParts()).CodeList }));
const PasswordPrompt = lazy(async () => ({ default: (await loadParts()).PasswordPrompt }));

interface CodeGeneratorProps {
  user: User;
  label: string;
  onMade?: () => void;
  /** The member has stored the codes. */
  onDone?: () => void;
}

export function CodeGenerator({ user, label, onMade, onDone }: CodeGeneratorProps) {
  const { t } = useTranslation('shell');
  const queryClient = useQueryClient();
  const make = useMutation({
    mutationFn: async (password?: string) => {
      // Loads the dialog first: new codes invalidate the old ones and must be shown.
      await loadParts();
      return read(api.POST('/api/auth/recovery-codes', { body: password === undefined ? {} : { password } }));
    },
    onSuccess: ({ codes }) => {
      rememberOffer(user.id, 'done');
      queryClient.setQueryData(recoveryCodesQuery.queryKey, {
        remaining: codes.length,
        madeAt: new Date().toISOString(),
      });
      onMade?.();
    },
    onError: (error) => {
      if (requiresPassword(error)) return;
      const sentence = error instanceof ApiError ? error.sentence : null;
      toast({ variant: 'destructive', title: t('error'), description: sentence ?? error.message });
    },
  });

  const start = (
    <Button busy={make.isPending} busyLabel={t('loading')} onClick={() => make.mutate(undefined)}>
      {label}
    </Button>
  );
  if (make.data)
    return (
      <Suspense fallback={start}>
        <CodeList
          user={user}
          codes={make.data.codes}
          onDone={() => {
            make.reset();
            onDone?.();
          }}
        />
      </Suspense>
    );
  // The field stays while the server checks the password.
  if (requiresPassword(make.error) || make.variables !== undefined)
    return (
      <Suspense fallback={start}>
        <PasswordPrompt
          error={make.error}
          busy={make.isPending}
          action={label}
          onSubmit={(password) => make.mutate(password)}
          onCancel={() => make.reset()}
        />
      </Suspense>
    );
  return start;
}

// Creates recovery codes: a button, then the eight codes, shown once.
import { useQueryClient } from '@tanstack/react-query';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { recoveryCodesQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { isStepUpDeclined } from '@/api/step-up';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { rememberOffer } from './recovery-offer';

export const CodeList = lazy(
  async () => (await withTexts(import('./code-generator-parts'), 'account')).CodeList,
);

/** Creates eight codes, which replace earlier ones. `onMade` is called before any other part of the screen learns of them. */
export function useNewCodes(user: User, onMade?: () => void) {
  const queryClient = useQueryClient();
  return useChange({
    mutationFn: async () => {
      // Loads the list first: new codes invalidate the old ones and must be shown.
      await CodeList.load();
      return read(api.POST('/api/auth/recovery-codes', { body: {} }));
    },
    failed: (error) =>
      isStepUpDeclined(error) ? null : (error instanceof ApiError && error.sentence) || error.message,
    onSuccess: ({ codes }) => {
      onMade?.();
      rememberOffer(user.id, 'done');
      queryClient.setQueryData(recoveryCodesQuery.queryKey, {
        remaining: codes.length,
        madeAt: new Date().toISOString(),
      });
    },
  });
}

interface CodeGeneratorProps {
  user: User;
  label: string;
  onMade?: () => void;
  /** The member has stored the codes. */
  onDone?: () => void;
}

export function CodeGenerator({ user, label, onMade, onDone }: CodeGeneratorProps) {
  const { t } = useTranslation('shell');
  const make = useNewCodes(user, onMade);

  if (make.data)
    return (
      <CodeList
        user={user}
        codes={make.data.codes}
        onDone={() => {
          make.reset();
          onDone?.();
        }}
      />
    );
  return (
    <Button busy={make.isPending} busyLabel={t('loading')} onClick={() => make.mutate()}>
      {label}
    </Button>
  );
}

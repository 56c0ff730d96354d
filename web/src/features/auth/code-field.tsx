// A field for a one-time code of an authenticator app, or a recovery code.
import type { ComponentProps } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { TextField } from '@/ui/field';

type CodeFieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'hint'> & {
  /** Only a code of the app counts. */
  appOnly?: boolean;
};

export function CodeField({ appOnly = false, ...props }: CodeFieldProps) {
  const { t } = useTranslation('auth');
  return (
    <TextField
      {...props}
      label={t('code.label')}
      hint={t(appOnly ? 'code.appHint' : 'code.hint')}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
    />
  );
}

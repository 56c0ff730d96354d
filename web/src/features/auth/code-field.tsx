// A field for a one-time code of an authenticator app, or a recovery code.
import type { ComponentProps } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { TextField } from '@/ui/field';

export function CodeField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>) {
  const { t } = useTranslation('auth');
  return (
    <TextField
      {...props}
      label={t('code.label')}
      hint={t('code.hint')}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
    />
  );
}

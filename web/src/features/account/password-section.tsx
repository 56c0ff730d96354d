// Settings, Password: the current password, the new one twice, and the effect on other sessions.
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { sessionsQuery, trustedBrowsersQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { refusal, showFieldErrors } from '@/features/auth/failure';
import { PasswordField } from '@/features/auth/password-field';
import { newPasswordFields, sameTwice } from '@/features/auth/schemas';
import { StrengthMeter } from '@/features/auth/strength-meter';
import { useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { showError, toast } from '@/ui/toast';
import { SettingsSection } from './settings-section';

const schema = z
  .object({
    currentPassword: z.string().check(z.minLength(1, 'settings:password.currentMissing')),
    ...newPasswordFields,
  })
  .check(sameTwice);
type Form = z.infer<typeof schema>;

const blank: Form = { currentPassword: '', password: '', confirmation: '' };

export function PasswordSection({ user }: { user: User }) {
  const { t } = useTranslation(['settings', 'auth']);
  const queryClient = useQueryClient();
  const form = useForm<Form>({ resolver: zodResolver(schema), defaultValues: blank });
  const { isSubmitting } = form.formState;
  const field = useFields(form);

  const submit = form.handleSubmit(async ({ currentPassword, password }) => {
    try {
      const body = { currentPassword, newPassword: password };
      await read(api.POST('/api/auth/change-password', { body }));
      form.reset(blank);
      toast({ variant: 'success', title: t('password.changed'), description: t('password.changedText') });
      void queryClient.invalidateQueries(sessionsQuery);
      void queryClient.invalidateQueries(trustedBrowsersQuery);
    } catch (error) {
      showFieldErrors<Form>(error, ['currentPassword'], form.setError);
      if (error instanceof ApiError && error.fields.newPassword)
        form.setError('password', { type: 'server', message: error.fields.newPassword });
      showError(refusal(error).sentence ?? t('password.failed'));
    }
  });

  return (
    <SettingsSection anchor="password" title={t('password.title')} about={t('password.about')}>
      <form onSubmit={submit} noValidate className="grid max-w-md grid-cols-1 gap-4">
        {/* Tells a password manager the account of this password. */}
        <input type="text" autoComplete="username" value={user.username} readOnly hidden />
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          {...field('currentPassword')}
        />
        <PasswordField
          label={t('auth:newPassword')}
          hint={<StrengthMeter password={form.watch('password')} username={user.username} />}
          autoComplete="new-password"
          {...field('password')}
        />
        <PasswordField
          label={t('auth:confirmPassword')}
          autoComplete="new-password"
          {...field('confirmation')}
        />
        <Button
          type="submit"
          className="justify-self-start"
          busy={isSubmitting}
          busyLabel={t('password.changing')}
        >
          {t('password.change')}
        </Button>
      </form>
    </SettingsSection>
  );
}

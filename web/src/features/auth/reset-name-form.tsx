// Forgot password, step 1: the username.
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { api, read } from '@/api/client';
import type { ResetMethod } from '@/api/schema.gen';
import { useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/field';
import { showError, toast } from '@/ui/toast';
import { refusal } from './failure';
import { type ResetNameForm as Form, resetNameSchema } from './schemas';

interface ResetNameFormProps {
  /** The account exists; `methods` are the ways to prove ownership in this browser. */
  onFound: (username: string, methods: ResetMethod[]) => void;
}

export function ResetNameForm({ onFound }: ResetNameFormProps) {
  const { t } = useTranslation('auth');
  const form = useForm<Form>({ resolver: zodResolver(resetNameSchema), defaultValues: { username: '' } });
  const { isSubmitting } = form.formState;
  const field = useFields(form);

  const submit = form.handleSubmit(
    async ({ username }) => {
      try {
        const { methods } = await read(api.POST('/api/auth/check-username', { body: { username } }));
        onFound(username, methods);
      } catch (error) {
        showError(refusal(error).sentence ?? t('forgot.toast.notFound'));
      }
    },
    () =>
      toast({
        variant: 'destructive',
        title: t('forgot.toast.usernameTitle'),
        description: t('forgot.toast.usernameText'),
      }),
  );

  return (
    <form onSubmit={submit} noValidate className="mt-6 grid grid-cols-1 gap-4">
      <TextField
        label={t('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
      <Button type="submit" className="mt-2 h-11" busy={isSubmitting} busyLabel={t('forgot.checking')}>
        {t('forgot.continue')}
      </Button>
    </form>
  );
}

// The login tab.
import { zodResolver } from '@hookform/resolvers/zod';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import type { AppealOffer, User } from '@/api/schema.gen';
import type { Me } from '@/api/session';
import { PasskeySignIn } from '@/features/passkeys/sign-in-button';
import { hasPasskeys } from '@/features/passkeys/support';
import { useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { Checkbox, TextField } from '@/ui/field';
import { dismissToast, toast } from '@/ui/toast';
import { CodeField } from './code-field';
import { refusal, showFieldErrors } from './failure';
import { PasswordField } from './password-field';
import { ProofStatus } from './proof-status';
import { type LoginForm as Form, loginSchema } from './schemas';
import { SuspensionAppeal } from './suspension-appeal';

function why(t: TFunction<'auth'>, error: unknown): string {
  if (error instanceof ApiError && error.code === 'ACCOUNT_SUSPENDED') return t('toast.suspended');
  const { sentence, unreadable } = refusal(error);
  return unreadable ? t('toast.loginUnreadable') : (sentence ?? t('toast.checkCredentials'));
}

interface LoginFormProps {
  username?: string;
  /** Whether the computer is shared, until the member says otherwise. */
  sharedComputer?: boolean;
  /** By default the member enters and the screen redirects. */
  onSignedIn?: (user: User) => void;
}

export function LoginForm({ username = '', sharedComputer = false, onSignedIn }: LoginFormProps) {
  const { t } = useTranslation('auth');
  const { enter } = useAuth();
  const form = useForm<Form>({
    resolver: zodResolver(loginSchema),
    defaultValues: { username, password: '', sharedComputer, oneTimeCode: '' },
  });
  /** The password was right, and the account has an authenticator app. */
  const [needsCode, setNeedsCode] = useState(false);
  /** The account is suspended. */
  const [appeal, setAppeal] = useState<AppealOffer | null>(null);
  const { isSubmitting } = form.formState;
  const field = useFields(form);

  const succeed = ({ reopened, ...user }: Me & { reopened?: boolean }) => {
    dismissToast();
    (onSignedIn ?? enter)(user);
    if (reopened)
      toast({ variant: 'success', title: t('toast.reopened'), description: t('toast.reopenedText') });
  };
  const fail = (error: unknown) => {
    setAppeal((error instanceof ApiError && error.appeal) || null);
    toast({ variant: 'destructive', title: t('toast.loginFailed'), description: why(t, error) });
  };

  const submit = form.handleSubmit(
    async ({ username, password, sharedComputer, oneTimeCode }) => {
      try {
        const body = {
          username,
          password,
          ...(sharedComputer && { sharedComputer }),
          ...(oneTimeCode && { oneTimeCode }),
        };
        succeed(await read(api.POST('/api/auth/login', { body })));
      } catch (error) {
        if (error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED') {
          if (needsCode)
            form.setError('oneTimeCode', { message: 'auth:code.missing' }, { shouldFocus: true });
          setNeedsCode(true);
          return;
        }
        showFieldErrors<Form>(error, ['username', 'password', 'oneTimeCode'], form.setError);
        fail(error);
      }
    },
    () =>
      toast({
        variant: 'destructive',
        title: t('toast.invalid'),
        description: t('toast.checkFields'),
      }),
  );

  return (
    <>
      <form onSubmit={submit} noValidate className="mt-6 grid grid-cols-1 gap-4">
        <TextField
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...field('username')}
        />
        <PasswordField
          autoComplete="current-password"
          data-initial-focus={username ? '' : undefined}
          {...field('password')}
        />
        {needsCode && <CodeField autoFocus {...field('oneTimeCode')} />}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Checkbox label={t('sharedComputer')} {...form.register('sharedComputer')} />
          <Link to={paths.forgotPassword} className="link text-ui font-medium">
            {t('forgotPassword')}
          </Link>
        </div>
        <Button type="submit" className="mt-2 h-11" busy={isSubmitting} busyLabel={t('signingIn')}>
          {t('login')}
        </Button>
        <ProofStatus text="proofOfAttempt" />
        {hasPasskeys() && (
          <PasskeySignIn
            isShared={() => form.getValues('sharedComputer')}
            onSignedIn={succeed}
            onRefused={fail}
          />
        )}
      </form>
      {appeal && <SuspensionAppeal key={appeal.token ?? appeal.state} offer={appeal} />}
    </>
  );
}

// Forgot password, step 2: the new password twice, and a recovery code if there is no other proof of ownership.
import { zodResolver } from '@hookform/resolvers/zod';
import { Info, KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import type { ResetMethod } from '@/api/schema.gen';
import { isCancelled } from '@/features/passkeys/ceremony-errors';
import { hasPasskeys } from '@/features/passkeys/support';
import { useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/field';
import { showError, toast } from '@/ui/toast';
import { CodeField } from './code-field';
import { refusal, showFieldErrors } from './failure';
import { PasswordField } from './password-field';
import { ProofStatus } from './proof-status';
import { type ResetPasswordForm as Form, resetPasswordSchema } from './schemas';
import { StrengthMeter } from './strength-meter';

interface ResetPasswordFormProps {
  username: string;
  /** From step 1; an operator's link needs none. */
  methods: ResetMethod[];
  /** From an operator's link. */
  token?: string;
  onReset: () => void;
}

export function ResetPasswordForm({ username, methods, token, onReset }: ResetPasswordFormProps) {
  const { t } = useTranslation('auth');
  const form = useForm<Form>({
    resolver: zodResolver(resetPasswordSchema),
    defaultValues: { recoveryCode: '', oneTimeCode: '', password: '', confirmation: '' },
  });
  const { isSubmitting } = form.formState;
  const field = useFields(form);
  // The trust in this browser may have ended since step 1.
  const [refused, setRefused] = useState(false);
  const known = Boolean(token) || (methods.includes('trusted-browser') && !refused);
  const hasCode = refused || methods.includes('recovery-code');
  const hasPasskey = !known && methods.includes('passkey') && hasPasskeys();
  // The server does not say whether the account has one.
  const [usesPasskey, setUsesPasskey] = useState(hasPasskey && !hasCode);
  const byPasskey = hasPasskey && usesPasskey;
  const wantsCode = !known && !byPasskey && hasCode;
  /** The recovery code was right, and the account has an authenticator app. */
  const [needsApp, setNeedsApp] = useState(false);

  const { setFocus } = form;
  // The button of step 1, which had the focus, is gone.
  useEffect(() => setFocus(wantsCode ? 'recoveryCode' : 'password'), [setFocus, wantsCode]);

  const submit = form.handleSubmit(
    async ({ password, recoveryCode, oneTimeCode }) => {
      try {
        const proof = token
          ? { token }
          : byPasskey
            ? { passkey: await (await import('@/features/passkeys/ceremony')).provePasskey() }
            : wantsCode && recoveryCode
              ? { recoveryCode, ...(needsApp && oneTimeCode && { oneTimeCode }) }
              : {};
        await read(api.POST('/api/auth/reset-password', { body: { username, password, ...proof } }));
        onReset();
      } catch (error) {
        if (isCancelled(error)) return;
        if (error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED') {
          if (needsApp) form.setError('oneTimeCode', { message: 'auth:code.missing' }, { shouldFocus: true });
          setNeedsApp(true);
          return;
        }
        // A field that was not there has no error: it appears with a hint.
        const asked = wantsCode
          ? (['password', 'recoveryCode', 'oneTimeCode'] as const)
          : (['password'] as const);
        showFieldErrors<Form>(error, asked, form.setError);
        if (!token && !byPasskey && error instanceof ApiError && error.code?.startsWith('PROOF_')) {
          if (methods.includes('trusted-browser')) setRefused(true);
          if (wantsCode)
            form.setError('recoveryCode', { type: 'server', message: 'auth:forgot.recoveryMissing' });
        }
        showError(refusal(error).sentence ?? t('forgot.toast.failed'));
      }
    },
    (invalid) => {
      const kind = invalid.password ? 'short' : 'mismatch';
      toast({
        variant: 'destructive',
        title: t(`forgot.toast.${kind}Title`),
        description: t(`forgot.toast.${kind}Text`),
      });
    },
  );

  return (
    <form onSubmit={submit} noValidate className="mt-6 grid grid-cols-1 gap-4">
      {/* Tells a password manager the account of this password. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      {wantsCode && (
        <TextField
          label={t('forgot.recoveryCode')}
          hint={t(refused ? 'forgot.untrustedHint' : 'forgot.recoveryHint')}
          className="font-mono"
          placeholder="XXXX-XXXX-XXXX-XXXX"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          {...field('recoveryCode')}
        />
      )}
      {wantsCode && needsApp && <CodeField appOnly autoFocus {...field('oneTimeCode')} />}
      {hasPasskey && <PasskeyChoice chosen={byPasskey} hasCode={hasCode} onChange={setUsesPasskey} />}
      {!known && !wantsCode && !byPasskey && <NoWayHere />}
      <PasswordField
        label={t('newPassword')}
        hint={<StrengthMeter password={form.watch('password')} username={username} />}
        autoComplete="new-password"
        {...field('password')}
      />
      <PasswordField label={t('confirmPassword')} autoComplete="new-password" {...field('confirmation')} />
      <Button type="submit" className="mt-2 h-11" busy={isSubmitting} busyLabel={t('forgot.resetting')}>
        {t('forgot.reset')}
      </Button>
      <ProofStatus text="proofOfAttempt" />
      {wantsCode && <p className="text-caption text-pretty text-muted-foreground">{t('forgot.operator')}</p>}
    </form>
  );
}

interface PasskeyChoiceProps {
  chosen: boolean;
  hasCode: boolean;
  onChange: (chosen: boolean) => void;
}

/** The proof is a passkey, asked for when the form is sent, or a recovery code. */
function PasskeyChoice({ chosen, hasCode, onChange }: PasskeyChoiceProps) {
  const { t } = useTranslation('auth');
  return (
    <div className="flex items-start gap-3 rounded-lg bg-muted p-4 text-ui text-pretty">
      <KeyRound className="icon text-muted-foreground" />
      <div>
        {chosen && <p>{t('forgot.passkey')}</p>}
        {(!chosen || hasCode) && (
          <button type="button" className="link mt-1 font-medium" onClick={() => onChange(!chosen)}>
            {t(chosen ? 'forgot.useCode' : 'forgot.usePasskey')}
          </button>
        )}
      </div>
    </div>
  );
}

/** The browser is not trusted and the member has no codes: instructions for other ways. */
function NoWayHere() {
  const { t } = useTranslation('auth');
  return (
    <div className="flex items-start gap-3 rounded-lg bg-muted p-4 text-ui text-pretty">
      <Info className="icon text-muted-foreground" />
      <div>
        <p className="font-semibold">{t('forgot.noCodesTitle')}</p>
        <p className="mt-1">{t('forgot.noCodes')}</p>
      </div>
    </div>
  );
}

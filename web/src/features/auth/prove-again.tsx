// Asks a signed-in member for the password, a code or a passkey over the screen, so that the waiting action can go on.
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { passkeysQuery } from '@/api/passkeys';
import { required, stepUpCode } from '@/api/step-up';
import { isCancelled } from '@/features/passkeys/ceremony-errors';
import { hasPasskeys } from '@/features/passkeys/support';
import { useTranslation } from '@/i18n/use-translation';
import { stepUpQuestion } from '@/session/renewal';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { showError } from '@/ui/toast';
import { CodeField } from './code-field';
import { refusal } from './failure';
import { PasswordField } from './password-field';
import { ProofStatus } from './proof-status';

type Method = 'password' | 'oneTimeCode';

export function ProveAgain() {
  const { t } = useTranslation(['auth', 'shell']);
  const question = stepUpQuestion.useCurrent();
  const { pathname } = useLocation();
  const opened = useRef(pathname);
  // The Back button leaves the screen of the waiting action.
  useEffect(() => {
    if (pathname !== opened.current) question?.settle('cancelled');
    opened.current = pathname;
  }, [pathname, question]);
  const [needsSecondFactor, setNeedsSecondFactor] = useState(required.secondFactor);
  const [method, setMethod] = useState<Method>(needsSecondFactor ? 'oneTimeCode' : 'password');
  const [value, setValue] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { data: passkeys } = useQuery({ ...passkeysQuery, enabled: hasPasskeys() });
  const fail = (error: Error) => showError(refusal(error).sentence ?? t('proof.failed'));
  const proveByPasskey = useMutation({
    mutationFn: async () => (await import('@/features/passkeys/ceremony')).provePasskeyAgain(),
    onSuccess: () => question?.settle('proved'),
    onError: (error) => {
      if (!isCancelled(error)) fail(error);
    },
  });
  const prove = useMutation({
    mutationFn: () => read(api.POST('/api/auth/reauthenticate', { body: { [method]: value } })),
    onSuccess: () => question?.settle('proved'),
    onError: (error) => {
      // The member has set up an app in another browser meanwhile.
      if (error instanceof ApiError && error.code === stepUpCode) {
        setNeedsSecondFactor(true);
        setMethod('oneTimeCode');
        setValue('');
        return;
      }
      field.current?.focus();
      if (error instanceof ApiError && error.fields[method]) return;
      fail(error);
    },
  });
  if (!question) return null;

  const cancel = () => question.settle('cancelled');
  const choose = (next: Method) => {
    setMethod(next);
    setValue('');
    prove.reset();
  };
  const text = t(needsSecondFactor ? 'proof.secondFactor' : 'proof.text');
  const shared = {
    ref: field,
    // After a change of the method, and for the dialog when it opens: its first field is hidden.
    autoFocus: true,
    'data-initial-focus': '',
    error: prove.error instanceof ApiError ? prove.error.fields[method] : undefined,
    value,
    onChange: ({ target }: { target: HTMLInputElement }) => setValue(target.value),
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && cancel()}
      title={t('proof.title')}
      description={text}
      footer={
        <>
          <Button variant="ghost" className="ml-auto" onClick={cancel}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" form="prove-again" busy={prove.isPending} busyLabel={t('proof.checking')}>
            {t('proof.continue')}
          </Button>
        </>
      }
    >
      <form
        id="prove-again"
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (value && !prove.isPending) prove.mutate();
        }}
      >
        <p className="text-body text-pretty text-muted-foreground" aria-hidden="true">
          {text}
        </p>
        {/* Tells a password manager the account of this password. */}
        <input type="text" autoComplete="username" value={question.member.username} readOnly hidden />
        {method === 'password' ? (
          <PasswordField key={method} autoComplete="current-password" {...shared} />
        ) : (
          <CodeField key={method} {...shared} />
        )}
        {!needsSecondFactor && (
          <button
            type="button"
            className="link justify-self-start text-ui font-medium"
            onClick={() => choose(method === 'password' ? 'oneTimeCode' : 'password')}
          >
            {t(method === 'password' ? 'proof.useCode' : 'proof.usePassword')}
          </button>
        )}
        {passkeys && passkeys.length > 0 && (
          <Button
            variant="outline"
            className="justify-self-start"
            busy={proveByPasskey.isPending}
            busyLabel={t('proof.checking')}
            onClick={() => proveByPasskey.mutate()}
          >
            <KeyRound className="icon-sm" />
            {t('proof.usePasskey')}
          </Button>
        )}
        <ProofStatus text="proofOfAttempt" />
        {needsSecondFactor && (
          <p className="text-caption text-pretty text-muted-foreground">{t('proof.lost')}</p>
        )}
      </form>
    </Dialog>
  );
}

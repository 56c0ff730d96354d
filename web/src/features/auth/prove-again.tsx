// Asks a signed-in member for the password or a code over the screen, so that the waiting action can go on.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { useTranslation } from '@/i18n/use-translation';
import { stepUpQuestion } from '@/session/renewal';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { toast } from '@/ui/toast';
import { CodeField } from './code-field';
import { refusal } from './failure';
import { PasswordField } from './password-field';

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
  const [method, setMethod] = useState<Method>('password');
  const [value, setValue] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const prove = useMutation({
    mutationFn: () => read(api.POST('/api/auth/reauthenticate', { body: { [method]: value } })),
    onSuccess: () => question?.settle('proved'),
    onError: (error) => {
      field.current?.focus();
      if (error instanceof ApiError && error.fields[method]) return;
      toast({
        variant: 'destructive',
        title: t('shell:error'),
        description: refusal(error).sentence ?? t('proof.failed'),
      });
    },
  });
  if (!question) return null;

  const cancel = () => question.settle('cancelled');
  const choose = (next: Method) => {
    setMethod(next);
    setValue('');
    prove.reset();
  };
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
      description={t('proof.text')}
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
          {t('proof.text')}
        </p>
        {/* Tells a password manager the account of this password. */}
        <input type="text" autoComplete="username" value={question.member.username} readOnly hidden />
        {method === 'password' ? (
          <PasswordField key={method} autoComplete="current-password" {...shared} />
        ) : (
          <CodeField key={method} {...shared} />
        )}
        <button
          type="button"
          className="link justify-self-start text-ui font-medium"
          onClick={() => choose(method === 'password' ? 'oneTimeCode' : 'password')}
        >
          {t(method === 'password' ? 'proof.useCode' : 'proof.usePassword')}
        </button>
      </form>
    </Dialog>
  );
}

// The two steps of a forgotten password, operator links, and the link back to the login.
import { zodResolver } from '@hookform/resolvers/zod';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation, useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import type { ResetMethod } from '@/api/schema.gen';
import { useFields } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/field';
import { showError, toast } from '@/ui/toast';
import { refusal } from './failure';
import { operatorLink } from './operator-link';
import { ResetPasswordForm } from './reset-password-form';
import { type ResetNameForm as Form, resetNameSchema } from './schemas';

/** Milliseconds between success and the login (specification, section 9). */
const redirectDelay = 2_000;

interface Account {
  username: string;
  methods: ResetMethod[];
  token?: string;
}

export function ForgotPassword() {
  const { t } = useTranslation('auth');
  const { end } = useAuth();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [account, setAccount] = useState<Account | null>(() => accountOf(hash));
  const [done, setDone] = useState(false);

  // Removes the token from the address and the history.
  useEffect(() => {
    if (!hash) return;
    const linked = accountOf(hash);
    if (linked) setAccount(linked);
    void navigate(paths.forgotPassword, { replace: true });
  }, [hash, navigate]);

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => void navigate(paths.auth), redirectDelay);
    return () => clearTimeout(timer);
  }, [done, navigate]);

  const finish = () => {
    setDone(true);
    // The reset ended every session, including this one.
    end();
    toast({
      variant: 'success',
      title: t('forgot.toast.doneTitle'),
      description: t('forgot.toast.doneText'),
    });
  };

  return (
    <>
      <h1 className="font-serif text-title">{t('forgot.title')}</h1>
      {!done && (
        <p className="mt-1 text-body text-pretty text-muted-foreground wrap-anywhere">
          {account ? t('forgot.passwordLead', { username: account.username }) : t('forgot.nameLead')}
        </p>
      )}
      {done ? (
        <Done />
      ) : account ? (
        <ResetPasswordForm key={account.token} {...account} onReset={finish} />
      ) : (
        <ResetNameForm onFound={(username, methods) => setAccount({ username, methods })} />
      )}
      <Link to={paths.auth} className="link mt-5 inline-block text-ui font-medium">
        {t('forgot.back')}
      </Link>
    </>
  );
}

function Done() {
  const { t } = useTranslation('auth');
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => line.current?.focus(), []);
  return (
    <p
      ref={line}
      tabIndex={-1}
      className="mt-6 flex items-start gap-2 text-body text-success-text outline-none"
    >
      <CircleCheck className="icon mt-0.5" />
      {t('forgot.done')}
    </p>
  );
}

function accountOf(hash: string): Account | null {
  const link = operatorLink(hash);
  return link && { ...link, methods: [] };
}

interface ResetNameFormProps {
  /** The account exists; `methods` are the ways to prove ownership in this browser. */
  onFound: (username: string, methods: ResetMethod[]) => void;
}

/** Forgot password, step 1: the username. */
function ResetNameForm({ onFound }: ResetNameFormProps) {
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

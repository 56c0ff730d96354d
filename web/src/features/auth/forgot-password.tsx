// The two steps of a forgotten password, operator links, and the link back to the login.
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { ResetMethod } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';
import { operatorLink } from './operator-link';
import { ResetNameForm } from './reset-name-form';
import { ResetPasswordForm } from './reset-password-form';

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

// Signs in over the screen after the end of the session, so that the waiting action can go on.
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { changeCacheOwner } from '@/api/cache-owner';
import type { User } from '@/api/schema.gen';
import { setFormDefaults } from '@/i18n/form-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { renewalQuestion } from '@/session/renewal';
import { Dialog } from '@/ui/dialog';
import { LoginForm } from './login-form';

setFormDefaults();

interface SignInAgainProps {
  /** Whether the session that ended was one of a shared computer. */
  isShared: boolean;
}

export function SignInAgain({ isShared }: SignInAgainProps) {
  const { t } = useTranslation('auth');
  const { enter, update } = useAuth();
  const navigate = useNavigate();
  const renewal = renewalQuestion.useCurrent();
  const { pathname } = useLocation();
  const opened = useRef(pathname);
  // The link to a forgotten password and the Back button leave the screen of the waiting action.
  useEffect(() => {
    if (pathname !== opened.current) renewal?.settle('cancelled');
    opened.current = pathname;
  }, [pathname, renewal]);
  if (!renewal) return null;

  const signedIn = (user: User) => {
    if (user.id === renewal.member.id) {
      void changeCacheOwner(user.id);
      update(user);
      renewal.settle('renewed');
      return;
    }
    // The action belongs to the former member.
    renewal.settle({ sentence: t('again.otherMember') });
    void navigate(paths.home, { replace: true });
    enter(user);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && renewal.settle('cancelled')}
      title={t('again.title')}
      description={t('again.text')}
    >
      <p className="text-body text-pretty text-muted-foreground" aria-hidden="true">
        {t('again.text')}
      </p>
      <div className="pb-5">
        <LoginForm username={renewal.member.username} sharedComputer={isShared} onSignedIn={signedIn} />
      </div>
    </Dialog>
  );
}

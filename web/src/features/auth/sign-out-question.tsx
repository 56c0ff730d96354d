// Asks before a sign-out deletes what is not sent yet.
import { useTranslation } from '@/i18n/use-translation';
import { signOutQuestion } from '@/session/sign-out-question';
import { ConfirmDialog } from '@/ui/confirm-dialog';

export function SignOutQuestion() {
  const { t } = useTranslation('auth');
  const question = signOutQuestion.useCurrent();
  return (
    <ConfirmDialog
      open={question !== null}
      onOpenChange={() => question?.settle('stay')}
      title={t('signOut.title')}
      text={t('signOut.text')}
      action={t('signOut.leave')}
      cancel={t('signOut.stay')}
      destructive
      onConfirm={() => question?.settle('leave')}
    />
  );
}

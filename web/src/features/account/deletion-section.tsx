// Settings, Delete account: consequences and the restore deadline, behind a typed confirmation.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { isStepUpDeclined } from '@/api/step-up';
import type { User } from '@/api/types';
import { refusal } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextField } from '@/ui/field';
import { toast } from '@/ui/toast';
import { SettingsSection } from './settings-section';

export function DeletionSection({ user }: { user: User }) {
  const { t } = useTranslation('settings');
  const [open, setOpen] = useState(false);
  return (
    <SettingsSection anchor="deletion" title={t('closing.title')} about={t('closing.about')}>
      <ul className="mb-4 list-disc space-y-1 pl-5 text-ui">
        <li>{t('closing.vanish')}</li>
        <li>{t('closing.undo')}</li>
        <li>{t('closing.erased')}</li>
      </ul>
      <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('closing.delete')}
      </Button>
      <DeletionDialog user={user} open={open} onOpenChange={setOpen} />
    </SettingsSection>
  );
}

interface DeletionDialogProps {
  user: User;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function DeletionDialog({ user, open, onOpenChange }: DeletionDialogProps) {
  const { t } = useTranslation(['settings', 'shell']);
  const { leave } = useAuth();
  const [confirmation, setConfirmation] = useState('');
  const [mistyped, setMistyped] = useState(false);
  const close = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/auth/close-account', {
          body: { confirmation: confirmation.trim() },
        }),
      ),
    onSuccess: () => {
      leave();
      toast({ variant: 'success', title: t('closing.closed'), description: t('closing.closedText') });
    },
    onError: (error) => {
      if (isStepUpDeclined(error)) return;
      if (error instanceof ApiError && error.fields.confirmation) return setMistyped(true);
      toast({
        variant: 'destructive',
        title: t('shell:error'),
        description: refusal(error).sentence ?? t('closing.failed'),
      });
    },
  });

  const change = (next: boolean) => {
    onOpenChange(next);
    setConfirmation('');
    setMistyped(false);
    close.reset();
  };
  const submit = () => {
    // The server also ignores case.
    const right = confirmation.trim().toLowerCase() === user.username.toLowerCase();
    setMistyped(!right);
    if (right && !close.isPending) close.mutate();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('closing.title')}
      description={t('closing.undo')}
      footer={
        <>
          <Button variant="ghost" className="ml-auto" onClick={() => change(false)}>
            {t('shell:cancel')}
          </Button>
          <Button
            type="submit"
            form="close-account"
            variant="destructive"
            busy={close.isPending}
            busyLabel={t('closing.deleting')}
          >
            {t('closing.delete')}
          </Button>
        </>
      }
    >
      <form
        id="close-account"
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="text-body text-pretty" aria-hidden="true">
          {t('closing.undo')}
        </p>
        <TextField
          label={t('closing.confirmation', { username: user.username })}
          error={mistyped ? t('closing.mistyped') : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

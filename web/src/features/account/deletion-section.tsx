// Settings, Delete account: consequences and the restore deadline, behind a typed confirmation.
import { useState } from 'react';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import type { User } from '@/api/schema.gen';
import { whyRefused } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextField } from '@/ui/field';
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

const isMistyped = (error: Error) => error instanceof ApiError && error.fields.confirmation !== undefined;

function DeletionDialog({ user, open, onOpenChange }: DeletionDialogProps) {
  const { t } = useTranslation(['settings', 'shell']);
  const { leave } = useAuth();
  const [confirmation, setConfirmation] = useState('');
  const [mistyped, setMistyped] = useState(false);
  const close = useChange({
    mutationFn: () =>
      read(
        api.POST('/api/auth/close-account', {
          body: { confirmation: confirmation.trim() },
        }),
      ),
    done: () => ({ title: t('closing.closed'), description: t('closing.closedText') }),
    failed: (error) => (isMistyped(error) ? null : whyRefused(error, t('closing.failed'))),
    onSuccess: leave,
    onError: (error) => isMistyped(error) && setMistyped(true),
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

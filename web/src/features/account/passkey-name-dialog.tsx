// A dialog that asks for the name of a passkey.
import { type FormEvent, useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { TextField } from '@/ui/field';
import { SubmitDialog } from '@/ui/submit-dialog';

/** The server refuses a longer name. */
const maxName = 60;

interface NameDialogProps {
  title: string;
  text: string;
  /** The present name. */
  name: string;
  action: string;
  busy: boolean;
  busyLabel: string;
  onClose: () => void;
  onSubmit: (name: string) => void;
}

export function NameDialog({
  title,
  text,
  name,
  action,
  busy,
  busyLabel,
  onClose,
  onSubmit,
}: NameDialogProps) {
  const { t } = useTranslation('passkeys');
  const [typed, setTyped] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    // The dialog is inside the tree of other forms.
    event.stopPropagation();
    const chosen = (typed ?? name).trim();
    setMissing(chosen === '');
    if (chosen !== '') onSubmit(chosen);
  };
  return (
    <SubmitDialog
      open
      dirty={typed !== null && typed.trim() !== name}
      busy={busy}
      onClose={onClose}
      title={title}
      description={text}
      send={action}
      sending={busyLabel}
      onSubmit={submit}
      className="grid gap-4"
    >
      <p className="text-body text-pretty text-muted-foreground" aria-hidden="true">
        {text}
      </p>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        error={missing ? t('nameMissing') : undefined}
        maxLength={maxName}
        value={typed ?? name}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
    </SubmitDialog>
  );
}

// The footer of a form dialog: Cancel and the submit button.
import { useTranslation } from '@/i18n/use-translation';
import { Button } from './button';
import { DialogClose } from './dialog';

interface FormButtonsProps {
  /** The id of the form. */
  form: string;
  send: string;
  /** Replaces `send` while the request is running. */
  sending: string;
  busy: boolean;
}

export function FormButtons({ form, send, sending, busy }: FormButtonsProps) {
  const { t } = useTranslation('shell');
  return (
    <>
      <DialogClose>
        <Button variant="ghost" className="ml-auto" disabled={busy}>
          {t('cancel')}
        </Button>
      </DialogClose>
      <Button type="submit" form={form} className="min-w-24" busy={busy} busyLabel={sending}>
        {send}
      </Button>
    </>
  );
}

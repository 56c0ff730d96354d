// The footer of a form dialog: Cancel and the submit button.
import { use } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from './button';
import { Discard } from './form-dialog';

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
  const discard = use(Discard);
  return (
    <>
      <Button variant="ghost" className="ml-auto" disabled={busy} onClick={discard}>
        {t('cancel')}
      </Button>
      <Button type="submit" form={form} className="min-w-24" busy={busy} busyLabel={sending}>
        {send}
      </Button>
    </>
  );
}

// How a dialog with a form ends: Cancel, and the button that sends it.
import { useTranslation } from '@/i18n/use-translation';
import { Button } from './button';

interface FormButtonsProps {
  /** The id of the form. */
  form: string;
  send: string;
  /** Stands in place of `send` while it is under way. */
  sending: string;
  busy: boolean;
  onCancel: () => void;
}

export function FormButtons({ form, send, sending, busy, onCancel }: FormButtonsProps) {
  const { t } = useTranslation('shell');
  return (
    <>
      <Button variant="ghost" className="ml-auto" disabled={busy} onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" form={form} className="min-w-24" busy={busy} busyLabel={sending}>
        {send}
      </Button>
    </>
  );
}

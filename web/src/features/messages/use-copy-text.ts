// Copies the text of a message to the clipboard: on a touch screen, a long press would select a word of it only.
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

export function useCopyText(): (text: string) => void {
  const { t } = useTranslation('messages');
  return (text) => {
    // Without a secure origin there is no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => toast({ title: t('textCopied'), variant: 'success' }),
      () => toast({ title: t('notCopied'), description: t('notCopiedText'), variant: 'info' }),
    );
  };
}

// Copies an address to the clipboard, or shows it where there is none.
import { useTranslation } from '@/i18n/use-translation';
import { toast } from '@/ui/toast';

export function useCopyLink(): (address: string) => void {
  const { t } = useTranslation('posts');
  return (address) => {
    // Without a secure origin there is no clipboard.
    const copied = navigator.clipboard?.writeText(address) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => toast({ title: t('copied'), description: t('copiedText'), variant: 'success' }),
      () => toast({ title: t('notCopied'), description: address, variant: 'info' }),
    );
  };
}

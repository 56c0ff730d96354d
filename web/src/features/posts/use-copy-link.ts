// Copies an address to the clipboard, or shows it where there is none.
import { useTranslation } from '@/i18n/use-translation';
import { copyText } from '@/ui/copy-text';

export function useCopyLink(): (address: string) => void {
  const { t } = useTranslation('posts');
  return (address) =>
    copyText(
      address,
      { title: t('copied'), description: t('copiedText') },
      { title: t('notCopied'), description: address, variant: 'info' },
    );
}

// The words that stand for the attachments of a message without a text.
import type { AttachmentSummary } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';

/** `sent` is a sentence for lists; `attached` names them. Null without attachments. */
export function useAttachmentText() {
  const { t } = useTranslation('messages');
  return (
    attached: AttachmentSummary | null | undefined,
    as: 'attached' | 'sent' = 'attached',
  ): string | null => {
    if (!attached) return null;
    if (attached.file) return t(`${as}File`);
    return attached.pictures === 1 ? t(`${as}Picture`) : t(`${as}Pictures`, { number: attached.pictures });
  };
}

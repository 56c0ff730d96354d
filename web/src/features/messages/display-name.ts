// The other member of a conversation, with a localised name for a deleted account.

import type { Conversation } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';

type Other = Conversation['otherUser'];

/** Needs the texts of `messages`. */
export function useDisplayName(other: Other): Other {
  const { t } = useTranslation('messages');
  return other.id ? other : { ...other, fullName: t('former') };
}

// The other side of a conversation, by the name the reader's language gives to one who has left.

import type { Conversation } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';

type Other = Conversation['otherUser'];

/** Needs the texts of `messages`. */
export function useNamed(other: Other): Other {
  const { t } = useTranslation('messages');
  return other.id ? other : { ...other, fullName: t('former') };
}

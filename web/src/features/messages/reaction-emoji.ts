// The emoji of each kind of reaction to a message.
import type { MessageReactionKind } from '@/api/schema.gen';

export const emojiOf: Record<MessageReactionKind, string> = {
  like: '\u{1F44D}',
  love: '\u2764\uFE0F',
  laugh: '\u{1F602}',
  wow: '\u{1F62E}',
  sad: '\u{1F622}',
  thanks: '\u{1F64F}',
};

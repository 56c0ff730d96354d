// The picture of a conversation: of the other member, or of two members of the group.
import type { Conversation, OtherUser } from '@/api/schema.gen';
import { Avatar, type AvatarSize } from '@/ui/avatar';

interface ConversationAvatarProps {
  conversation: Pick<Conversation, 'group'>;
  /** With the displayed name. */
  other: OtherUser;
  size: AvatarSize;
}

export function ConversationAvatar({ conversation: { group }, other, size }: ConversationAvatarProps) {
  const [first, second] = group?.members ?? [];
  if (!first || !second) return <Avatar user={first ?? other} size={size} decorative />;
  const small = size > 36 ? 32 : size > 32 ? 28 : 24;
  return (
    <span aria-hidden="true" className="relative shrink-0" style={{ width: size, height: size }}>
      <Avatar user={second} size={small} decorative className="absolute! top-0 right-0" />
      <Avatar
        user={first}
        size={small}
        decorative
        className="absolute! bottom-0 left-0 outline-2 outline-card"
      />
    </span>
  );
}

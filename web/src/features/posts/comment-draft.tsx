// An unsent comment below a post whose comment box is closed.
import { textDraft, useKeptDraft } from '@/session/drafts';
import { DraftMark } from '@/ui/draft-hint';

/** The place of the draft of a new comment. */
export const commentPlace = (postId: string): string => `comment ${postId}`;

/** The place of the draft of a reply to this comment. */
export const replyPlace = (commentId: string): string => `reply ${commentId}`;

export function CommentDraft({ postId, onOpen }: { postId: string; onOpen: () => void }) {
  const draft = useKeptDraft(commentPlace(postId), textDraft);
  if (draft === null) return null;
  return (
    <button
      type="button"
      className="flex w-full items-center gap-2 border-t px-4 py-2.5 text-left text-caption text-muted-foreground hover:bg-hover md:px-5"
      onClick={onOpen}
    >
      <DraftMark />
      <span className="min-w-0 flex-1 truncate">{draft}</span>
    </button>
  );
}

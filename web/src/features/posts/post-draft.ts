// The draft of a post: everything but its pictures and file, which the server removes if no post refers to them.
import type { DraftKind } from '@/session/drafts';
import type { DialogAttachment } from './attachments';
import type { AudienceCommunity } from './audience';

/** The attachment of a post; null for text only. */
export type ComposerMode = Exclude<DialogAttachment, 'event'> | null;

export interface PostDraft {
  content: string;
  /** Of an article. */
  title: string;
  videoUrl: string;
  mode: ComposerMode;
  /** The link whose preview the author removed. */
  withoutLink: string;
  /** Null is everyone. */
  audience: AudienceCommunity | null;
}

export const postDraft: DraftKind<PostDraft> = {
  empty: { content: '', title: '', videoUrl: '', mode: null, withoutLink: '', audience: null },
  isEmpty: ({ content, title, videoUrl }) => !`${content}${title}${videoUrl}`.trim(),
  parse: (value) => {
    const draft = { ...postDraft.empty, ...(value as Partial<PostDraft>) };
    const texts: unknown[] = [draft.content, draft.title, draft.videoUrl, draft.withoutLink];
    if (texts.some((text) => typeof text !== 'string')) return null;
    return draft.mode === 'photo' || draft.mode === 'pdf' ? { ...draft, mode: null } : draft;
  },
};

interface PostPlace {
  community?: AudienceCommunity;
  repost?: { id: string };
}

/** The composer of the home screen, of a community, or of a repost. */
export function placeOf({ community, repost }: PostPlace): string {
  if (repost) return `repost ${repost.id}`;
  return community ? `community ${community.id}` : 'home';
}

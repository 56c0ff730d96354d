// The dialogs of the menu of a post: the reasons for it, and what to mute.
import type { Post } from '@/api/schema.gen';
import { MuteDialog } from './mute-dialog';
import { WhyDialog } from './why-dialog';

/** A dialog of the menu: the reasons for the post, or what to mute. */
export type FeedQuestion = 'why' | 'mute';

export interface FeedDialogProps {
  post: Post;
  open: boolean;
  onClose: () => void;
}

/** Needs the texts of `feeds`. */
export function FeedDialog({ question, ...rest }: FeedDialogProps & { question: FeedQuestion }) {
  return question === 'why' ? <WhyDialog {...rest} /> : <MuteDialog {...rest} />;
}

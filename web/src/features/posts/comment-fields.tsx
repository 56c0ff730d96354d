// The comment box and the field that edits a comment, whose code loads when a member is about to write: most posts are only read.
import type { ComponentProps } from 'react';
import { lazy } from '@/ui/lazy';
import { Skeleton } from '@/ui/skeleton';
import type { CommentBox as Box } from './comment-box';
import type { CommentEdit as Edit } from './comment-edit';

const LazyBox = lazy(async () => (await import('./comment-box')).CommentBox);
const LazyEdit = lazy(async () => (await import('./comment-edit')).CommentEdit);

/** Call when a member may be about to comment. */
export const loadCommentBox = LazyBox.load;

/** `catchTyping` keeps the keys that are typed before the field is there. */
export function CommentBox(props: ComponentProps<typeof Box>) {
  const fallback = (
    <div className="flex gap-3">
      <Skeleton className="size-8 rounded-full!" />
      <FormSkeleton />
    </div>
  );
  return <LazyBox {...props} fallback={fallback} />;
}

export function CommentEdit(props: ComponentProps<typeof Edit>) {
  return <LazyEdit {...props} fallback={<FormSkeleton />} />;
}

/** As high as the form. */
function FormSkeleton() {
  return (
    <div className="min-w-0 flex-1">
      <Skeleton className="min-h-(--comment-min)" />
      <div className="mt-2 h-8" />
    </div>
  );
}

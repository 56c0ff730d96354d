// The comment box and its form, whose code loads when a member is about to write: most posts are only read.
import { type ComponentProps, lazy, Suspense } from 'react';
import { Skeleton } from '@/ui/skeleton';
import type { CommentBox as Box } from './comment-box';
import type { CommentForm as Form } from './comment-form';

/** Call when a member may be about to comment. */
export const loadCommentBox = () => import('./comment-box');

const LazyBox = lazy(async () => ({ default: (await loadCommentBox()).CommentBox }));
const LazyForm = lazy(async () => ({ default: (await import('./comment-form')).CommentForm }));

/** `catchTyping` keeps the keys that are typed before the field is there. */
export function CommentBox(props: ComponentProps<typeof Box>) {
  return (
    <Suspense
      fallback={
        <div className="flex gap-3">
          <Skeleton className="size-8 rounded-full!" />
          <FormSkeleton />
        </div>
      }
    >
      <LazyBox {...props} />
    </Suspense>
  );
}

export function CommentForm(props: ComponentProps<typeof Form>) {
  return (
    <Suspense fallback={<FormSkeleton />}>
      <LazyForm {...props} />
    </Suspense>
  );
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

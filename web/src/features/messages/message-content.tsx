// The content of a message: its text, and cards of the posts it links to.
import { lazy, Suspense } from 'react';
import { postsIn } from '@/features/posts/post-address';

const SharedPost = lazy(async () => ({ default: (await import('@/features/posts/shared-post')).SharedPost }));

export function MessageContent({ content }: { content: string }) {
  const { words, ids } = postsIn(content);
  if (ids.length === 0) return content;
  return (
    <>
      {words}
      <Suspense>
        {ids.map((id) => (
          <SharedPost key={id} id={id} />
        ))}
      </Suspense>
    </>
  );
}

// The content of a message: its text, and cards of the posts it links to.

import { postsIn } from '@/features/posts/post-address';
import { RichText } from '@/features/posts/text/rich-text';
import { lazy } from '@/ui/lazy';

const SharedPost = lazy(async () => (await import('@/features/posts/shared-post')).SharedPost);

export function MessageContent({ content }: { content: string }) {
  const { words, ids } = postsIn(content);
  const text = <RichText linkClassName="">{ids.length === 0 ? content : words}</RichText>;
  if (ids.length === 0) return text;
  return (
    <>
      {text}
      {ids.map((id) => (
        <SharedPost key={id} id={id} />
      ))}
    </>
  );
}

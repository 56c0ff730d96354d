// A new post or comment, and its request.
import { api, read } from '@/api/client';
import type { CreateComment, CreatePost } from '@/api/schema.gen';

export type Posting =
  | { kind: 'post'; body: CreatePost }
  | { kind: 'comment'; postId: string; body: CreateComment };

export interface NewPosting {
  posting: Posting;
  /** The text as the member wrote it, with names instead of ids. */
  shown: string;
  key: string;
}

export function sendPosting(posting: Posting, key: string): Promise<{ id: string }> {
  const headers = { 'Idempotency-Key': key };
  return posting.kind === 'post'
    ? read(api.POST('/api/posts', { body: posting.body, headers }))
    : read(
        api.POST('/api/posts/{id}/comments', {
          params: { path: { id: posting.postId } },
          body: posting.body,
          headers,
        }),
      );
}

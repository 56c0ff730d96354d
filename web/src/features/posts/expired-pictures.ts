// Signed addresses of pictures expire in communities, and elsewhere with the key that signed them: a picture that then fails to
// load reads its post again, which has the next one.
import type { QueryClient } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import { rereadPost } from '@/api/posts';

const renewed = new Set<string>();

/** For the errors of all pictures within the card of a post. */
export function renewExpired(queryClient: QueryClient, postId: string, { target }: SyntheticEvent): void {
  if (!(target instanceof HTMLImageElement)) return;
  const { searchParams } = new URL(target.src);
  const expires = searchParams.get('expires');
  const isInvalid = expires ? Number(expires) * 1000 < Date.now() : searchParams.has('signature');
  // Once for each address: the picture may be gone.
  if (!isInvalid || renewed.has(target.src)) return;
  renewed.add(target.src);
  void rereadPost(queryClient, postId);
}

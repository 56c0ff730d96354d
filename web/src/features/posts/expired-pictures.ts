// Addresses of pictures in communities expire: a picture that then fails to load reads its post again, which has the next one.
import type { QueryClient } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import { rereadPost } from '@/api/posts';

/** For the errors of all pictures within the card of a post. */
export function renewExpired(queryClient: QueryClient, postId: string, { target }: SyntheticEvent): void {
  if (!(target instanceof HTMLImageElement)) return;
  const expires = new URL(target.src).searchParams.get('expires');
  if (expires && Number(expires) * 1000 < Date.now()) void rereadPost(queryClient, postId);
}

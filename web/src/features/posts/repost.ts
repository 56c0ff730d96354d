// Reposts without text; without a network the repost waits in the outbox. Its code loads with the first one.
import type { QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { postsChanged } from '@/api/saved';
import type { CreatePost } from '@/api/schema.gen';
import { toast } from '@/ui/toast';
import { sendOrQueue } from './send-or-queue';

/** Needs the texts of `posts`. */
export async function repost(
  queryClient: QueryClient,
  memberId: string,
  postId: string,
  keyOf: (body: CreatePost) => string,
): Promise<void> {
  const body = { userId: memberId, content: '', repostOf: postId };
  const posting = { kind: 'post', body } as const;
  const result = await sendOrQueue(queryClient, memberId, { posting, shown: '', key: keyOf(body) });
  if (result === 'waiting')
    return toast({
      title: i18next.t('unsent:queued'),
      description: i18next.t('unsent:queuedText'),
      variant: 'info',
    });
  toast({
    title: i18next.t('posts:reposted'),
    description: i18next.t('posts:repostedText'),
    variant: 'success',
  });
  await postsChanged(queryClient);
}

// The Like button: sets the signed-in member's like, or takes it back.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ThumbsUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, read } from '@/api/client';
import type { Post } from '@/api/types';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';
import { PostAction } from './post-action';

export function LikeAction({ post }: { post: Post }) {
  const { t } = useTranslation(['posts', 'shell']);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const like = useMutation({
    mutationFn: ({ by, liked }: { by: string; liked: boolean }) => {
      const params = { path: { id: post.id } };
      return liked
        ? read<unknown>(api.DELETE('/api/posts/{id}/likes', { params }))
        : read<unknown>(api.POST('/api/posts/{id}/likes', { params, body: { userId: by, type: 'like' } }));
    },
    // The list and the single post, both below this key. Waiting for them keeps the button as it was pressed.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['/api/posts'] }),
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('likeFailed', { message }),
        variant: 'destructive',
      }),
  });
  const served = post.likes.some(({ userId }) => userId === user?.id);
  const liked = like.isPending ? !like.variables.liked : served;

  const press = () => {
    if (!user) {
      toast({ title: t('signInRequired'), description: t('signInToLike'), variant: 'info' });
    } else if (!like.isPending) {
      like.mutate({ by: user.id, liked: served });
    }
  };

  return (
    <PostAction
      icon={ThumbsUp}
      iconClassName={liked ? 'animate-like fill-gold/30' : ''}
      className={liked ? 'font-semibold text-gold-text!' : ''}
      aria-pressed={liked}
      onClick={press}
    >
      {t('like')}
    </PostAction>
  );
}

// Send: sends the post's address in a conversation.
import { Send } from 'lucide-react';

import type { Post } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { lazy } from '@/ui/lazy';
import { toast } from '@/ui/toast';
import { useOpening } from '@/ui/use-opening';
import { PostAction } from './post-action';

const SendDialog = lazy(async () => (await import('./send-dialog')).SendDialog);

export function SendAction({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const { user } = useAuth();
  const sending = useOpening();
  const press = () => {
    if (user) sending.open();
    else toast({ title: t('signInRequired'), description: t('signInToSend'), variant: 'info' });
  };
  return (
    <>
      <PostAction icon={Send} aria-haspopup={user ? 'dialog' : undefined} onClick={press}>
        {t('send')}
      </PostAction>
      {user && sending.nr > 0 && (
        <SendDialog key={sending.nr} post={post} me={user} open={sending.isOpen} onClose={sending.close} />
      )}
    </>
  );
}

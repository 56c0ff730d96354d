// 'Create a post': the text, and the toasts of the specification for an empty one, a failure and success.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, read } from '@/api/client';
import { keyPerBody } from '@/api/idempotency';
import { onceHeard } from '@/api/just-joined';
import type { User } from '@/api/types';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { toast } from '@/ui/toast';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { type AttachmentKind, attachments } from './attachments';
import { Audience, type AudienceCommunity } from './audience';

const maxLength = 5_000;

interface ComposerDialogProps {
  user: User;
  /** Whose members the post is for; the member chooses where none is given. */
  community?: AudienceCommunity;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onAttach: (kind: AttachmentKind) => void;
}

export function ComposerDialog({ user, community, open, onOpenChange, onAttach }: ComposerDialogProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  const [content, setContent] = useState('');
  const [audience, setAudience] = useState<AudienceCommunity | null>(null);
  // One key a text: repeating a request that was lost on the way never posts twice.
  const [keyOf, setKeyOf] = useState(keyPerBody);
  const communityId = (community ?? audience)?.id;
  const create = useMutation({
    mutationFn: (text: string) => {
      // No key more than the specification lists, unless it is used.
      const body = { userId: user.id, content: text, ...(communityId && { communityId }) };
      return read(api.POST('/api/posts', { body, headers: { 'Idempotency-Key': keyOf(body) } }));
    },
    ...(communityId && onceHeard),
    onSuccess: () => {
      setContent('');
      setAudience(null);
      setKeyOf(keyPerBody);
      onOpenChange(false);
      toast({ title: t('created'), description: t('createdText'), variant: 'success' });
      return queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
    },
    onError: ({ message }) =>
      toast({
        title: t('shell:error'),
        description: t('createFailed', { message }),
        variant: 'destructive',
      }),
  });

  const submit = () => {
    if (!content.trim()) {
      toast({ title: t('emptyTitle'), description: t('emptyText'), variant: 'destructive' });
    } else if (!create.isPending) {
      create.mutate(content);
    }
  };

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('create')}
      description={t(communityId ? 'createHintCommunity' : 'createHint')}
      footer={
        <>
          <TooltipGroup>
            <div className="-ml-2 flex">
              {attachments.map(([kind, Icon]) => (
                <Tooltip key={kind} label={t(kind)}>
                  <Button variant="ghost" iconOnly aria-label={t(kind)} onClick={() => onAttach(kind)}>
                    <Icon className="icon" aria-hidden="true" />
                  </Button>
                </Tooltip>
              ))}
            </div>
          </TooltipGroup>
          <Button
            className="ml-auto min-w-24"
            busy={create.isPending}
            busyLabel={t('posting')}
            onClick={submit}
          >
            {t('post')}
          </Button>
        </>
      }
    >
      <div className="flex items-center gap-3">
        <Avatar user={user} size={44} decorative />
        <div className="min-w-0">
          <p className="truncate text-ui font-semibold">{user.fullName}</p>
          {user.headline && <p className="truncate text-caption text-muted-foreground">{user.headline}</p>}
          {community ? (
            <p className="text-caption text-muted-foreground wrap-anywhere">
              {t('postingIn', { name: community.name })}
            </p>
          ) : (
            <Audience value={audience} onChange={setAudience} />
          )}
        </div>
      </div>
      <textarea
        aria-label={t('post')}
        placeholder={t('placeholder')}
        maxLength={maxLength}
        className="mt-4 block field-sizing-content min-h-44 w-full resize-none bg-transparent text-[1.0625rem] leading-7 outline-none"
        value={content}
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
    </Dialog>
  );
}

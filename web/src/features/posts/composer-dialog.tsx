// 'Create a post': the text, and the toasts of the specification for an empty one, a failure and success.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, read } from '@/api/client';
import { newIdempotencyKey } from '@/api/idempotency';
import type { User } from '@/api/types';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { toast } from '@/ui/toast';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { attachments } from './attachments';
import { sayNotYet } from './not-yet';

const maxLength = 5_000;

interface ComposerDialogProps {
  user: User;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ComposerDialog({ user, open, onOpenChange }: ComposerDialogProps) {
  const { t } = useTranslation(['posts', 'shell']);
  const queryClient = useQueryClient();
  const [content, setContent] = useState('');
  // One key a text: repeating a request that was lost on the way never posts twice.
  const key = useRef(newIdempotencyKey());
  const create = useMutation({
    mutationFn: (text: string) =>
      read(
        api.POST('/api/posts', {
          body: { userId: user.id, content: text },
          headers: { 'Idempotency-Key': key.current },
        }),
      ),
    onSuccess: () => {
      setContent('');
      key.current = newIdempotencyKey();
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
      description={t('createHint')}
      footer={
        <>
          <TooltipGroup>
            <div className="-ml-2 flex">
              {attachments.map(([kind, Icon]) => (
                <Tooltip key={kind} label={t(kind)}>
                  <Button variant="ghost" iconOnly aria-label={t(kind)} onClick={() => sayNotYet(t)}>
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
        </div>
      </div>
      <textarea
        aria-label={t('post')}
        placeholder={t('placeholder')}
        maxLength={maxLength}
        className="mt-4 block field-sizing-content min-h-44 w-full resize-none bg-transparent text-[1.0625rem] leading-7 outline-none"
        value={content}
        onChange={(event) => {
          setContent(event.target.value);
          key.current = newIdempotencyKey();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
    </Dialog>
  );
}

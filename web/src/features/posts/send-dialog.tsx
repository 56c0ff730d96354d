// 'Send to': conversations of the member, other members by name, and a send button for each.
import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { api, read } from '@/api/client';
import { messageSent } from '@/api/conversations';
import { keyPerBody } from '@/api/idempotency';
import { limits } from '@/api/limits.gen';
import type { Post, User } from '@/api/schema.gen';
import { type Partner, PartnerField, PartnerResults, usePartners } from '@/features/network/partners';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { DialogClose } from '@/ui/dialog';
import { TextArea } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';
import { postAddress } from './post-address';

/** A message minus the address of the post. */
const longestWords = limits.SendMessage.content.max - 200;

interface SendDialogProps {
  post: Post;
  me: User;
  open: boolean;
  onClose: () => void;
}

export function SendDialog({ post, me, open, onClose }: SendDialogProps) {
  const { t } = useTranslation('posts');
  const [words, setWords] = useState('');
  // State of the parent: a row may disappear from the results and return.
  const [sentTo, setSentTo] = useState<readonly string[]>([]);
  const search = usePartners(me);
  const { partners } = search;
  const content = [words.trim(), postAddress(post.id)].filter(Boolean).join('\n');
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      dirty={words.trim() !== '' && sentTo.length === 0}
      title={t('sendTo')}
      description={t('sendToHint')}
      footerLine
      footer={
        <DialogClose>
          <Button className="ml-auto">{t('sendDone')}</Button>
        </DialogClose>
      }
    >
      <div className="space-y-4 pb-4">
        <PartnerField search={search} label={t('sendName')} />
        <TextArea
          label={t('sendWords')}
          rows={1}
          maxLength={longestWords}
          className="field-sizing-content max-h-32"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <PartnerResults
          search={search}
          failed={t('sendNobodyKnown')}
          noMatch={t('sendNoMatch')}
          none={t('sendNobody')}
        >
          {partners.length > 0 && (
            <ul aria-label={t('sendTo')} className="divide-y">
              {partners.map((partner) => (
                <PartnerRow
                  key={partner.person.id}
                  partner={partner}
                  me={me}
                  content={content}
                  sent={sentTo.includes(partner.person.id)}
                  onSent={(id) => setSentTo((before) => [...before, id])}
                />
              ))}
            </ul>
          )}
        </PartnerResults>
      </div>
    </FormDialog>
  );
}

interface PartnerRowProps {
  partner: Partner;
  me: User;
  content: string;
  sent: boolean;
  /** Called with the id of the recipient. */
  onSent: (id: string) => void;
}

function PartnerRow({ partner, me, content, sent, onSent }: PartnerRowProps) {
  const { t } = useTranslation('posts');
  const queryClient = useQueryClient();
  const [keyOf] = useState(keyPerBody);
  const { person } = partner;
  const send = useChange({
    mutationFn: async () => {
      const conversationId =
        partner.conversationId ??
        (await read(api.POST('/api/conversations', { body: { userId: person.id } }))).id;
      const body = { userId: me.id, conversationId, content };
      return read(
        api.POST('/api/conversations/{id}/messages', {
          params: { path: { id: conversationId } },
          body,
          headers: { 'Idempotency-Key': keyOf(body) },
        }),
      );
    },
    done: () => ({ title: t('sent'), description: t('sentText', { name: person.fullName }) }),
    failed: ({ message }) => t('sendFailed', { message }),
    onSuccess: (message) => {
      onSent(person.id);
      messageSent(queryClient, message);
    },
  });
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Avatar user={person} size={40} decorative />
      <div className="min-w-0 flex-1">
        <p className="truncate text-ui font-semibold">{person.fullName}</p>
        {person.headline && <p className="truncate text-micro text-muted-foreground">{person.headline}</p>}
      </div>
      <Button
        variant={sent ? 'done' : 'outline'}
        size="sm"
        aria-label={t(sent ? 'sentToNamed' : 'sendToNamed', { name: person.fullName })}
        aria-disabled={sent}
        busy={send.isPending}
        onClick={() => !sent && send.mutate()}
      >
        {sent && <Check className="icon-sm" />}
        {t(sent ? 'sent' : 'send')}
      </Button>
    </li>
  );
}

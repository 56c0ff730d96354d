// The statement of reasons for the author of removed content, and the form of an appeal.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, read } from '@/api/client';
import { limits } from '@/api/limits.gen';
import { removalQuery } from '@/api/moderation';
import type { Removal } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { textDraft } from '@/session/drafts';
import { useChange } from '@/session/use-change';
import { useDraft } from '@/session/use-draft';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { DraftHint } from '@/ui/draft-hint';
import { TextArea } from '@/ui/field';
import { Part, Quote } from './part';

export function RemovalNotice({ of: removal }: { of: Removal }) {
  const { t, i18n } = useTranslation('moderation');
  const date = (at: string | null) => formatDate(i18n.language, at) ?? '';
  const reason = removal.reason && t(`reasons.${removal.reason}`);
  return (
    <Card className="divide-y">
      <div className="px-5 py-4 text-ui">
        <p>{t('removedAt', { date: date(removal.removedAt) })}</p>
        {reason && (
          <Part title={t('reason')}>
            <p className="font-semibold">{reason}</p>
          </Part>
        )}
        <Part title={t('yourText')}>
          <Quote>{removal.excerpt}</Quote>
        </Part>
      </div>
      {removal.appeal ? (
        <div className="px-5 py-4 text-ui">
          <h2 className="text-subhead">{t('yourAppeal')}</h2>
          <Quote>{removal.appeal}</Quote>
          <p className="mt-3" role="status">
            {t(answerOf(removal))}
          </p>
          {removal.appealReason && (
            <Part title={t('reason')}>
              <p className="font-semibold">{t(`reasons.${removal.appealReason}`)}</p>
            </Part>
          )}
        </div>
      ) : (
        <AppealForm of={removal} until={date(removal.appealUntil)} />
      )}
    </Card>
  );
}

/** The text about the state of the appeal. */
function answerOf({ appealOutcome, restored }: Removal) {
  if (appealOutcome === null) return 'appealWaits';
  if (appealOutcome === 'upheld') return 'appealUpheld';
  return restored ? 'appealRestored' : 'appealOverturned';
}

function AppealForm({ of: removal, until }: { of: Removal; until: string }) {
  const { t } = useTranslation('moderation');
  const queryClient = useQueryClient();
  const { value: text, change: setText } = useDraft(`appeal ${removal.id}`, textDraft);
  const [isMissing, setMissing] = useState(false);
  const appeal = useChange({
    mutationFn: (body: { text: string }) =>
      read(api.POST('/api/appeals/{id}', { params: { path: { id: removal.id } }, body })),
    done: () => ({ title: t('appealSent'), description: t('appealSentText') }),
    failed: ({ message }) => t('appealFailed', { message }),
    onSuccess: (next) => {
      setText('');
      if (next) queryClient.setQueryData(removalQuery(removal.id).queryKey, next);
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: removalQuery(removal.id).queryKey }),
  });
  if (Date.parse(removal.appealUntil) <= Date.now())
    return <p className="px-5 py-4 text-ui text-muted-foreground">{t('appealOver', { date: until })}</p>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    setMissing(!said);
    if (said && !appeal.isPending) appeal.mutate({ text: said });
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-3 px-5 py-4">
      <h2 className="text-subhead">{t('appeal')}</h2>
      <p className="text-ui text-pretty text-muted-foreground">{t('appealAbout', { date: until })}</p>
      <TextArea
        label={t('appealLabel')}
        rows={4}
        maxLength={limits.NewAppeal.text.max}
        value={text}
        error={isMissing ? t('appealMissing') : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <DraftHint value={text} empty="" isEmpty={textDraft.isEmpty(text)} onChange={setText} />
      <Button type="submit" busy={appeal.isPending} busyLabel={t('deciding')}>
        {t('sendAppeal')}
      </Button>
    </form>
  );
}

// Suspends or restores a member, in a dialog with reason and note.
import { useState } from 'react';
import { api, read } from '@/api/client';
import type { DecisionReason, MemberStanding } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { FormDialog } from '@/ui/form-dialog';
import { DecisionForm } from './decision-form';
import { releases, violations } from './reasons';
import { useDecision } from './use-decision';

export function MemberDecision({ standing }: { standing: MemberStanding }) {
  const { t } = useTranslation('moderation');
  const [isOpen, setOpen] = useState(false);
  const [dirty, setDirty] = useState(false);
  const isSuspended = standing.suspendedAt !== null;
  const name = standing.username;
  const decide = useDecision(
    async (body: { reason: DecisionReason; note?: string }) => {
      const params = { path: { id: standing.userId } };
      await read(
        isSuspended
          ? api.POST('/api/moderation/members/{id}/restore', { params, body })
          : api.POST('/api/moderation/members/{id}/suspend', { params, body }),
      );
      setOpen(false);
    },
    () => t(isSuspended ? 'restored' : 'suspended', { name }),
  );
  if (standing.moderator)
    return <p className="text-caption text-muted-foreground">{t('moderatorProtected')}</p>;
  if (!standing.decidable) return <p className="text-caption text-muted-foreground">{t('ownMember')}</p>;
  const action = t(isSuspended ? 'restore' : 'suspend', { name });
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
        {action}
      </Button>
      <FormDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        dirty={dirty}
        busy={decide.isPending}
        title={action}
        description={t(isSuspended ? 'restoreAbout' : 'suspendAbout')}
      >
        <p className="mb-4 text-ui text-pretty text-muted-foreground" aria-hidden="true">
          {t(isSuspended ? 'restoreAbout' : 'suspendAbout')}
        </p>
        <div className="pb-5">
          <DecisionForm
            choices={[{ value: 'decide', label: action, reasons: isSuspended ? releases : violations }]}
            busy={decide.isPending}
            place={null}
            onDirty={setDirty}
            onDecide={({ reason, note }, discard) =>
              decide.mutate({ body: { reason, ...(note && { note }) }, discard })
            }
          />
        </div>
      </FormDialog>
    </>
  );
}

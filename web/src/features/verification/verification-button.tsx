// Verifies a member or withdraws the verification, in a dialog with the reason.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api, read } from '@/api/client';
import type { SchoolMember } from '@/api/schema.gen';
import { school } from '@/api/verifications';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';

/** As the server accepts it. */
const longestReason = 500;

export function VerificationButton({ member }: { member: SchoolMember }) {
  const { t } = useTranslation('verification');
  const [isOpen, setOpen] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const name = member.user.fullName;
  const isVerified = member.user.verified;
  return (
    <>
      <Button
        variant={isVerified ? 'outline' : 'primary'}
        size="sm"
        aria-label={t(isVerified ? 'withdrawNamed' : 'verifyNamed', { name })}
        onClick={() => setOpen(true)}
      >
        {t(isVerified ? 'withdraw' : 'verify')}
      </Button>
      <FormDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        dirty={dirty}
        busy={busy}
        title={t(isVerified ? 'withdrawNamed' : 'verifyNamed', { name })}
        description={t(isVerified ? 'withdrawAbout' : 'verifyAbout', { name })}
      >
        <p className="mb-4 text-ui text-pretty text-muted-foreground" aria-hidden="true">
          {t(isVerified ? 'withdrawAbout' : 'verifyAbout', { name })}
        </p>
        <ReasonForm member={member} onDirty={setDirty} onBusy={setBusy} onDone={() => setOpen(false)} />
      </FormDialog>
    </>
  );
}

interface ReasonFormProps {
  member: SchoolMember;
  onDirty: (dirty: boolean) => void;
  onBusy: (busy: boolean) => void;
  onDone: () => void;
}

function ReasonForm({ member, onDirty, onBusy, onDone }: ReasonFormProps) {
  const { t } = useTranslation('verification');
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isVerified = member.user.verified;
  const decide = useDecision(member, onDone);
  const dirty = reason.trim() !== '';
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  useEffect(() => onBusy(decide.isPending), [decide.isPending, onBusy]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (reason.trim() && !decide.isPending) decide.mutate(reason.trim());
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-4 pb-5">
      <TextField
        label={t('reason')}
        hint={t(isVerified ? 'withdrawReasonHint' : 'verifyReasonHint')}
        error={isChecked && !reason.trim() ? t('reasonMissing') : undefined}
        maxLength={longestReason}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button
        type="submit"
        variant={isVerified ? 'destructive' : 'primary'}
        busy={decide.isPending}
        busyLabel={t('deciding')}
      >
        {t(isVerified ? 'withdraw' : 'verify')}
      </Button>
    </form>
  );
}

/** Reads the lists again after every answer: the member may have changed the name meanwhile. */
function useDecision({ user }: SchoolMember, onDone: () => void) {
  const { t } = useTranslation('verification');
  const queryClient = useQueryClient();
  const params = { path: { id: user.id } };
  return useChange({
    mutationFn: async (reason: string) => {
      if (user.verified)
        await read(api.POST('/api/school/members/{id}/withdraw', { params, body: { reason } }));
      else
        await read(
          api.POST('/api/school/members/{id}/verify', { params, body: { fullName: user.fullName, reason } }),
        );
    },
    done: () => ({ title: t(user.verified ? 'withdrawn' : 'verified', { name: user.fullName }) }),
    failed: ({ message }) => t('decideFailed', { message }),
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries(school),
  });
}

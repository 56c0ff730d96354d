// Dissolves a community after its owner typed its name.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import { communityGone } from '@/api/communities';
import type { CommunityDetails } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Dialog } from '@/ui/dialog';
import { TextField } from '@/ui/field';
import { useDialog } from '@/ui/use-dialog';
import { ManagePart } from './manage-part';

export function Dissolve({ community }: { community: CommunityDetails }) {
  const { t } = useTranslation('manage');
  const asking = useDialog(DissolveDialog, { community });
  return (
    <ManagePart title={t('dissolve')} hint={t('dissolveHint')}>
      <Card className="p-4 md:p-5">
        <Button variant="destructive" aria-haspopup="dialog" onClick={asking.open}>
          {t('dissolveAction')}
        </Button>
      </Card>
      {asking.dialog}
    </ManagePart>
  );
}

interface DissolveDialogProps {
  community: CommunityDetails;
  open: boolean;
  onClose: () => void;
}

function DissolveDialog({ community: { id, name }, open, onClose }: DissolveDialogProps) {
  const { t } = useTranslation(['manage', 'shell']);
  const form = useId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isWrong = typed.trim() !== name;
  const dissolve = useChange({
    mutationFn: () => api.DELETE('/api/communities/{id}', { params: { path: { id } } }),
    done: () => ({ title: t('dissolved', { name }) }),
    failed: ({ message }) => t('dissolveFailed', { message }),
    onSuccess: () => {
      onClose();
      // In a later task: React would delay the toast until the new screen is ready.
      setTimeout(async () => {
        await navigate(paths.communities, { replace: true });
        communityGone(queryClient, id);
      });
    },
    onError: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isWrong && !dissolve.isPending) dissolve.mutate();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={() => !dissolve.isPending && onClose()}
      title={t('dissolveTitle', { name })}
      description={t('dissolveHint')}
      footer={
        <>
          <Button variant="ghost" className="ml-auto" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            type="submit"
            form={form}
            variant="destructive"
            busy={dissolve.isPending}
            busyLabel={t('dissolving')}
          >
            {t('dissolveAction')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="space-y-4 pb-1">
        <p className="text-body text-pretty" aria-hidden="true">
          {t('dissolveHint')}
        </p>
        <TextField
          label={<span className="wrap-anywhere">{t('dissolveName', { name })}</span>}
          autoComplete="off"
          value={typed}
          error={isChecked && isWrong ? t('dissolveWrong') : undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
    </Dialog>
  );
}

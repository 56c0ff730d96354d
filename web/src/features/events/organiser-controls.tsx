// The actions of the organiser: update and cancel.
import { useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { eventCancelled } from '@/api/events';
import type { EventDetails } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useEventDialog } from './use-event-dialog';

export function OrganiserControls({ event }: { event: EventDetails }) {
  const { t } = useTranslation('events');
  const editor = useEventDialog(event);
  return (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={editor.open}>
        <Pencil className="icon-sm" />
        {t('edit')}
      </Button>
      <CallOff event={event} />
      {editor.dialog}
    </>
  );
}

function CallOff({ event: { id, title } }: { event: EventDetails }) {
  const { t } = useTranslation('events');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const callOff = useChange({
    mutationFn: () => read(api.DELETE('/api/events/{id}', { params: { path: { id } } })),
    done: () => ({ title: t('calledOff'), description: t('calledOffText', { title }) }),
    failed: ({ message }) => t('callOffFailed', { message }),
    onSuccess: () => {
      eventCancelled(queryClient, id);
      // In a later task: React would delay the toast until the new screen is ready.
      setTimeout(() => void navigate(paths.events, { replace: true }));
    },
    onError: () => setAsking(false),
  });
  return (
    <>
      <Button variant="ghost" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        {t('callOff')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={(open) => !callOff.isPending && setAsking(open)}
        title={t('callOffTitle')}
        text={t('callOffText', { title })}
        action={t('callOff')}
        destructive
        busy={callOff.isPending}
        onConfirm={() => callOff.mutate()}
      />
    </>
  );
}

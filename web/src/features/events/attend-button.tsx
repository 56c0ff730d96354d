// Attends or leaves an event: optimistic, reverted with a toast when the server refuses.
import { useQueryClient } from '@tanstack/react-query';
import { CalendarCheck, CalendarX } from 'lucide-react';
import { useRef } from 'react';
import { api, read } from '@/api/client';
import { attendanceChanged, expectedAttendance, updateEvent } from '@/api/events';
import { mutationsOf } from '@/api/reread';
import type { Event } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { useChange } from '@/session/use-change';
import { toast } from '@/ui/toast';
import { ToggleButton } from '@/ui/toggle-button';

interface AttendButtonProps {
  event: Event;
  /** The only action of its card, not one of a list. */
  primary?: boolean;
  className?: string;
}

/** One button for both actions, so that the focus stays. */
export function AttendButton({ event, primary, className }: AttendButtonProps) {
  const { t } = useTranslation(['events', 'shell']);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const { id, title, attending } = event;
  const path = { id };
  // An undone change is not announced again.
  const isUndo = useRef(false);
  const change = useChange({
    mutationKey: mutationsOf('event', id),
    mutationFn: (attend: boolean) =>
      attend
        ? read(api.PUT('/api/events/{id}/attendance', { params: { path } }))
        : read(api.DELETE('/api/events/{id}/attendance', { params: { path } })),
    done: (_, attend) =>
      isUndo.current
        ? null
        : {
            title: t(attend ? 'attendingNow' : 'leftNow'),
            description: title,
            action: { label: t('shell:undo'), onClick: () => set(!attend, true) },
          },
    failed: ({ message }, attend) => t(attend ? 'attendFailed' : 'leaveFailed', { message }),
    onMutate: (attend) => {
      const { attendeeCount } = event;
      updateEvent(queryClient, id, expectedAttendance(event, attend));
      return { attending, attendeeCount };
    },
    onSuccess: (changed) => attendanceChanged(queryClient, changed),
    onError: (_error, _input, before) => updateEvent(queryClient, id, before ?? {}),
  });

  const set = (attend: boolean, undo: boolean) => {
    isUndo.current = undo;
    change.mutate(attend);
  };
  const press = () => {
    if (!user) toast({ title: t('signInRequired'), description: t('signInToAttend'), variant: 'info' });
    else if (!change.isPending) set(!attending, false);
  };
  return (
    <ToggleButton
      isOn={attending}
      on={{ icon: CalendarX, label: t('leave') }}
      off={{ icon: CalendarCheck, label: t('attend') }}
      variant={attending || !primary ? 'outline' : 'primary'}
      size={primary ? 'md' : 'sm'}
      className={className}
      aria-label={t(attending ? 'leaveNamed' : 'attendNamed', { title })}
      onClick={press}
    />
  );
}

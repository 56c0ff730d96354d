// Attends or leaves an event: optimistic, reverted with a toast when the server refuses.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarCheck, CalendarX } from 'lucide-react';
import { api, read } from '@/api/client';
import type { Event } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { attendanceChanged, expectedAttendance, updateEvent } from './event-cache';

interface AttendButtonProps {
  event: Event;
  /** The only action of its card, not one of a list. */
  primary?: boolean;
  className?: string;
}

/** One button for both actions, so that the focus stays. Needs the texts of `events`. */
export function AttendButton({ event, primary, className }: AttendButtonProps) {
  const { t } = useTranslation(['events', 'shell']);
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const { id, title, attending } = event;
  const path = { id };
  const change = useMutation({
    mutationFn: (attend: boolean) =>
      attend
        ? read(api.PUT('/api/events/{id}/attendance', { params: { path } }))
        : read(api.DELETE('/api/events/{id}/attendance', { params: { path } })),
    onMutate: (attend) => {
      const { attendeeCount } = event;
      updateEvent(queryClient, id, expectedAttendance(event, attend));
      return { attending, attendeeCount };
    },
    onSuccess: (changed) => attendanceChanged(queryClient, changed),
    onError: ({ message }, attend, before) => {
      updateEvent(queryClient, id, before ?? {});
      toast({
        title: t('shell:error'),
        description: t(attend ? 'attendFailed' : 'leaveFailed', { message }),
        variant: 'destructive',
      });
    },
  });

  const press = () => {
    if (!user) toast({ title: t('signInRequired'), description: t('signInToAttend'), variant: 'info' });
    else if (!change.isPending) change.mutate(!attending);
  };
  const Icon = attending ? CalendarX : CalendarCheck;
  return (
    <Button
      variant={attending ? 'ghost' : primary ? 'primary' : 'outline'}
      size={primary ? 'md' : 'sm'}
      className={className}
      aria-label={t(attending ? 'leaveNamed' : 'attendNamed', { title })}
      onClick={press}
    >
      <Icon className="icon-sm" aria-hidden="true" />
      {t(attending ? 'leave' : 'attend')}
    </Button>
  );
}

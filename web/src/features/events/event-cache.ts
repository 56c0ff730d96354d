// Cache updates of an event: its page, the lists that contain it, and its attendees.
import type { QueryClient } from '@tanstack/react-query';
import { keepItems, mapItems } from '@/api/pages';
import { attendeesQuery, eventQuery, eventsQuery } from '@/api/queries';
import type { Event, EventDetails } from '@/api/types';

/** Applies a change wherever the event is cached. */
export function updateEvent(queryClient: QueryClient, id: string, change: Partial<EventDetails>): void {
  queryClient.setQueryData(eventQuery(id).queryKey, (shown) => shown && { ...shown, ...change });
  queryClient.setQueryData(eventsQuery.queryKey, (list) =>
    mapItems(list, (item) => (item.id === id ? { ...item, ...change } : item)),
  );
}

/** The expected state after attending or leaving, until the server responds. */
export function expectedAttendance({ attendeeCount }: Event, attending: boolean): Partial<Event> {
  return { attending, attendeeCount: Math.max(0, attendeeCount + (attending ? 1 : -1)) };
}

/** Updates the cache after attending or leaving. */
export function attendanceChanged(queryClient: QueryClient, event: EventDetails): void {
  updateEvent(queryClient, event.id, event);
  void queryClient.invalidateQueries(attendeesQuery(event.id));
}

/** Caches a created or updated event; the server decides its position in the lists. */
export function eventSaved(queryClient: QueryClient, event: EventDetails): void {
  queryClient.setQueryData(eventQuery(event.id).queryKey, event);
  void queryClient.invalidateQueries({ queryKey: eventsQuery.queryKey });
}

/** Removes a cancelled event. Its page, still mounted for a moment, is refetched only when it is opened again. */
export function eventCancelled(queryClient: QueryClient, id: string): void {
  queryClient.setQueryData(eventsQuery.queryKey, (list) => keepItems(list, (event) => event.id !== id));
  void queryClient.invalidateQueries({ queryKey: eventQuery(id).queryKey, refetchType: 'none' });
}

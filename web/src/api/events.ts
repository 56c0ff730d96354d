// Cache updates of an event: its page, the lists that contain it, and its attendees.
import type { QueryClient } from '@tanstack/react-query';
import { api, read } from './client';
import { isUnknown } from './error';
import { itemsOf, keepItems, mapItems } from './pages';
import { attendeesQuery, eventQuery, eventsQuery } from './queries';
import { mutationsOf, reread } from './reread';
import type { Event, EventDetails } from './schema.gen';

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

/** Reads an event again after it or its attendees changed, and updates it in place. */
export async function rereadEvent(queryClient: QueryClient, id: string): Promise<void> {
  const isInList = itemsOf<Event>(queryClient.getQueryData(eventsQuery.queryKey)).some(
    (event) => event.id === id,
  );
  if (!isInList && !queryClient.getQueryData(eventQuery(id).queryKey)) return;
  try {
    const fresh = await reread(queryClient, mutationsOf('event', id), () =>
      read(api.GET('/api/events/{id}', { params: { path: { id } } })),
    );
    attendanceChanged(queryClient, fresh);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    eventCancelled(queryClient, id);
    // Its page shows that it is gone.
    await queryClient.resetQueries({ queryKey: eventQuery(id).queryKey, exact: true });
  }
}

// What the client knows of an event changes: its page, the lists it stands in, and who comes.
import type { QueryClient } from '@tanstack/react-query';
import { keepItems, mapItems } from '@/api/pages';
import { attendeesQuery, eventQuery, eventsQuery } from '@/api/queries';
import type { Event, EventDetails } from '@/api/types';

/** The same change wherever the event is shown. */
export function showEvent(queryClient: QueryClient, id: string, change: Partial<EventDetails>): void {
  queryClient.setQueryData(eventQuery(id).queryKey, (shown) => shown && { ...shown, ...change });
  queryClient.setQueryData(eventsQuery.queryKey, (list) =>
    mapItems(list, (item) => (item.id === id ? { ...item, ...change } : item)),
  );
}

/** As the event would stand after the member says whether they come; what the server says comes next. */
export function standingAfter({ attendeeCount }: Event, attending: boolean): Partial<Event> {
  return { attending, attendeeCount: Math.max(0, attendeeCount + (attending ? 1 : -1)) };
}

/** The server has heard whether the member comes. */
export function attendanceChanged(queryClient: QueryClient, event: EventDetails): void {
  showEvent(queryClient, event.id, event);
  void queryClient.invalidateQueries(attendeesQuery(event.id));
}

/** An event was announced or changed: its page is known, and its place among the others is the server's to say. */
export function eventWritten(queryClient: QueryClient, event: EventDetails): void {
  queryClient.setQueryData(eventQuery(event.id).queryKey, event);
  void queryClient.invalidateQueries({ queryKey: eventsQuery.queryKey });
}

/** An event was called off. Its page, still on screen for a moment, asks again only when it is next opened. */
export function eventCalledOff(queryClient: QueryClient, id: string): void {
  queryClient.setQueryData(eventsQuery.queryKey, (list) => keepItems(list, (event) => event.id !== id));
  void queryClient.invalidateQueries({ queryKey: eventQuery(id).queryKey, refetchType: 'none' });
}

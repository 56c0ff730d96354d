// /events/{id}: facts, times in both zones, attendees, and the organiser's actions.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import type { EventDetails } from '@/api/schema.gen';
import { eventOf } from '@/testing/events';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const finals = eventOf({ startDate: '2037-11-28T06:00:00Z', endDate: '2037-11-28T09:00:00Z' });
const address = `/events/${finals.id}`;

const serve = (event: EventDetails) =>
  server.use(http.get('/api/events/:id', () => HttpResponse.json(event)));

const zoneOfMachine = process.env.TZ;
afterEach(() => {
  if (zoneOfMachine === undefined) delete process.env.TZ;
  else process.env.TZ = zoneOfMachine;
});

test('shows all data of an event, and both times if they differ', async () => {
  process.env.TZ = 'America/New_York';
  serve(finals);
  server.use(http.get('/api/events/:id/attendees', () => HttpResponse.json([{ id: 'a1', user: priya }])));
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Moot court finals' })).toBeVisible();
  expect(document.title).toBe('Moot court finals | Portia');
  expect(screen.getByText('Saturday, November 28, 2037')).toBeVisible();
  expect(screen.getByText('2:00 PM to 5:00 PM')).toBeVisible();
  expect(screen.getByText(/Philippine Standard Time/)).toBeVisible();
  expect(screen.getByText('Your time: Saturday, November 28, 2037, 1:00 AM to 4:00 AM')).toBeVisible();
  expect(screen.getByText('Main Courtroom')).toBeVisible();
  const facts = screen.getByText(/Hosted by/);
  expect(within(facts).getByRole('link', { name: 'Priya Raghavan' })).toHaveAttribute(
    'href',
    `/profile/${priya.id}`,
  );
  expect(screen.getByText(/Come and heckle politely/)).toHaveClass('whitespace-pre-line');
  const attendees = within(screen.getByRole('region', { name: 'Attendees' }));
  expect(attendees.getByText('25 attendees')).toBeVisible();
  expect(await attendees.findByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  const calendar = screen.getByRole('link', { name: 'Add to calendar' });
  expect(calendar).toHaveAttribute('href', `/api/events/${finals.id}/calendar.ics`);
  expect(calendar).toHaveAttribute('download');
  expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
});

test('a viewer with the same offset sees one time, and absent fields are hidden', async () => {
  process.env.TZ = 'Asia/Manila';
  serve({ ...finals, location: null, description: null, organiser: null, attendeeCount: 0 });
  await renderApp(address);
  expect(await screen.findByText('2:00 PM to 5:00 PM')).toBeVisible();
  expect(screen.queryByText(/Your time/)).not.toBeInTheDocument();
  expect(screen.queryByText(/Hosted by/)).not.toBeInTheDocument();
  expect(screen.queryByText('About this event')).not.toBeInTheDocument();
  expect(await screen.findByText('No attendees yet.')).toBeVisible();
});

test('an event that ends on another day shows both days', async () => {
  serve({ ...finals, endDate: '2037-11-29T09:00:00Z' });
  await renderApp(address);
  expect(await screen.findByText('2:00 PM to Sunday, November 29, 2037, 5:00 PM')).toBeVisible();
});

test('markup in a description is text', async () => {
  serve({ ...finals, description: '<img src=x onerror=alert(1)> & <b>bold</b>' });
  await renderApp(address);
  expect(await screen.findByText('<img src=x onerror=alert(1)> & <b>bold</b>')).toBeVisible();
});

test('attending and leaving refetch the attendees', async () => {
  signedInAs(isabel);
  serve(finals);
  let attendees = [{ id: 'a1', user: priya }];
  server.use(
    http.get('/api/events/:id/attendees', () => HttpResponse.json(attendees)),
    http.put('/api/events/:id/attendance', () => {
      attendees = [...attendees, { id: 'a2', user: { ...priya, id: isabel.id, fullName: 'Isabel Reyes' } }];
      return HttpResponse.json({ ...finals, attending: true, attendeeCount: 26 });
    }),
    http.delete('/api/events/:id/attendance', () => {
      attendees = attendees.slice(0, 1);
      return HttpResponse.json(finals);
    }),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Attend Moot court finals' }));
  const card = within(screen.getByRole('region', { name: 'Attendees' }));
  expect(await card.findByRole('link', { name: 'Isabel Reyes' })).toBeVisible();
  expect(card.getByText('26 attendees')).toBeVisible();
  expect(screen.getByText('Attending')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Leave Moot court finals' }));
  await waitFor(() => expect(card.queryByRole('link', { name: 'Isabel Reyes' })).not.toBeInTheDocument());
  expect(card.getByText('25 attendees')).toBeVisible();
});

test('an event that is over is marked and accepts no attendees', async () => {
  signedInAs(isabel);
  serve({ ...finals, startDate: '2026-01-10T06:00:00Z', endDate: '2026-01-10T09:00:00Z', attending: true });
  await renderApp(address);
  expect(await screen.findByText('This event is over.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Attend|Leave/ })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Add to calendar' })).toBeVisible();
});

test('an unknown event, and an event that fails to load', async () => {
  server.use(http.get('/api/events/:id', () => problem(404, { error: 'Event not found' })));
  const { unmount } = await renderApp('/events/nothing');
  expect(await screen.findByText('Event not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'All events' })).toHaveAttribute('href', '/events');
  unmount();

  serve(finals);
  server.use(
    http.get('/api/events/:id', () => problem(503, { error: 'Please try again soon' }), { once: true }),
  );
  const { user } = await renderApp(address);
  expect(await screen.findByText('This event could not be loaded. Please try again later.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Moot court finals' })).toBeVisible();
});

test('attendees load page by page', async () => {
  serve(finals);
  server.use(
    http.get('/api/events/:id/attendees', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([{ id: 'a2', user: isabel }])
        : HttpResponse.json([{ id: 'a1', user: priya }], {
            headers: { Link: '</api/events/x/attendees?cursor=2>; rel="next"' },
          }),
    ),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Show more attendees' }));
  const attendees = within(screen.getByRole('region', { name: 'Attendees' }));
  expect(await attendees.findByRole('link', { name: 'Isabel Reyes' })).toBeVisible();
  expect(attendees.getByRole('link', { name: 'Priya Raghavan' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more attendees' })).not.toBeInTheDocument();
});

test('the page works if the attendees fail to load', async () => {
  serve(finals);
  server.use(http.get('/api/events/:id/attendees', () => problem(503, { error: 'Busy' })));
  await renderApp(address);
  expect(await screen.findByText('Attendees could not be loaded. Please try again later.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Moot court finals' })).toBeVisible();
});

test('the organiser updates it, and only changed fields are sent', async () => {
  signedInAs(isabel);
  serve({ ...finals, organiser: isabel });
  const sent: unknown[] = [];
  server.use(
    http.patch('/api/events/:id', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({
        ...finals,
        organiser: isabel,
        endDate: '2037-11-28T10:00:00Z',
        location: null,
      });
    }),
  );
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit event' }));
  expect(dialog.getByLabelText('Starts')).toHaveValue('2037-11-28T14:00');
  expect(dialog.getByLabelText('Time zone')).toHaveValue('Asia/Manila');
  fireEvent.change(dialog.getByLabelText('Ends'), { target: { value: '2037-11-28T18:00' } });
  await user.clear(dialog.getByLabelText('Location'));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Event saved')).toBeVisible();
  expect(screen.getByText('The changes to Moot court finals have been saved.')).toBeVisible();
  expect(await screen.findByText('2:00 PM to 6:00 PM')).toBeVisible();
  expect(screen.queryByText('Main Courtroom')).not.toBeInTheDocument();
  expect(sent).toEqual([{ endDate: '2037-11-28T10:00:00.000Z', location: '' }]);
});

test('a refused update keeps the input', async () => {
  signedInAs(isabel);
  serve({ ...finals, organiser: isabel });
  server.use(http.patch('/api/events/:id', () => problem(403, { error: 'Only its organiser may.' })));
  const { user } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Title'), '!');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Failed to save the event: 403: Only its organiser may.')).toBeVisible();
  expect(dialog.getByLabelText('Title')).toHaveValue('Moot court finals!');
});

test('the organiser cancels it after a confirmation', async () => {
  signedInAs(isabel);
  serve({ ...finals, organiser: isabel });
  let called = 0;
  server.use(
    http.get('/api/events', () => HttpResponse.json(called ? [] : [finals])),
    http.delete('/api/events/:id', () => {
      called += 1;
      return called === 1
        ? problem(503, { error: 'Please try again soon' })
        : new HttpResponse(null, { status: 204 });
    }),
  );
  const { user, path } = await renderApp(address);
  await user.click(await screen.findByRole('button', { name: 'Call off' }));
  const ask = async () => within(await screen.findByRole('dialog', { name: 'Call off this event?' }));
  expect((await ask()).getAllByText(/This cannot be undone/)[0]).toBeVisible();
  await user.click((await ask()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(called).toBe(0);

  await user.click(screen.getByRole('button', { name: 'Call off' }));
  await user.click((await ask()).getByRole('button', { name: 'Call off' }));
  expect(await screen.findByText('Failed to call off the event: 503: Please try again soon')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Call off' }));
  await user.click((await ask()).getByRole('button', { name: 'Call off' }));
  expect(await screen.findByText('Event called off')).toBeVisible();
  expect(screen.getByText('Moot court finals will not take place.')).toBeVisible();
  expect(await screen.findByText('No upcoming events')).toBeVisible();
  expect(path()).toBe('/events');
});

test('is translated to Filipino', async () => {
  process.env.TZ = 'UTC';
  signedInAs(isabel);
  serve({ ...finals, organiser: isabel });
  await renderApp(address, { language: 'fil' });
  expect(await screen.findByText('Sabado, Nobyembre 28, 2037')).toBeVisible();
  expect(screen.getByText('2:00 PM hanggang 5:00 PM')).toBeVisible();
  expect(screen.getByText(/Standard na Oras sa Pilipinas/)).toBeVisible();
  expect(
    screen.getByText(/^Sa oras mo: Sabado, Nobyembre 28, 2037, 6:00 AM hanggang 9:00 AM$/),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: 'Huwag ituloy' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Idagdag sa kalendaryo' })).toBeVisible();
});

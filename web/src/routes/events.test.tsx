// /events: upcoming events, attending from the list, and creating an event.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Event } from '@/api/schema.gen';
import { eventOf } from '@/testing/events';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const finals = eventOf();

const serve = (...events: Event[]) => server.use(http.get('/api/events', () => HttpResponse.json(events)));

test('shows day, time in the zone of the event, place, attendees and link', async () => {
  serve(
    {
      ...finals,
      startDate: '2037-11-28T06:00:00Z',
      endDate: '2037-11-28T09:00:00Z',
      attendeeCount: 26,
      attendees: [{ id: 'a1', user: priya }],
    },
    {
      ...finals,
      id: 'e2',
      title: 'Clerkship panel',
      location: null,
      startDate: '2037-12-02T00:30:00Z',
      endDate: '2037-12-02T02:00:00Z',
      timeZone: 'America/New_York',
      attendeeCount: 1,
    },
  );
  await renderApp('/events');
  expect(await screen.findByRole('heading', { level: 1, name: 'Events' })).toBeVisible();
  const [first, second] = await screen.findAllByRole('listitem');
  if (!first || !second) throw new Error('two events');
  expect(first).toHaveTextContent(/^Nov28Moot court finals2:00 PM GMT\+8 · Main Courtroom/);
  expect(within(first).getByText('26 attendees')).toBeVisible();
  expect(within(first).getByText('PR')).toBeVisible();
  expect(within(first).getByRole('link', { name: 'Moot court finals' })).toHaveAttribute(
    'href',
    `/events/${finals.id}`,
  );
  // In New York it is the evening before.
  expect(second).toHaveTextContent(/^Dec1Clerkship panel7:30 PM EST1 attendee/);
  expect(document.title).toBe('Events | Portia');
});

test('an empty list, a failed list, and an unavailable service', async () => {
  const { unmount } = await renderApp('/events');
  expect(await screen.findByText('No upcoming events')).toBeVisible();
  unmount();

  server.use(http.get('/api/events', () => problem(500, { error: 'Something went wrong' })));
  const second = await renderApp('/events');
  expect(await screen.findByText('Events could not be loaded. Please try again later.')).toBeVisible();
  second.unmount();

  server.use(
    http.get('/api/events', () => HttpResponse.json([], { headers: { 'X-Degraded': 'social-graph' } })),
  );
  await renderApp('/events');
  expect(await screen.findByText('Events could not be loaded. Please try again later.')).toBeVisible();
});

test('further pages load on demand', async () => {
  server.use(
    http.get('/api/events', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? HttpResponse.json([{ ...finals, id: 'e2', title: 'Clerkship panel' }])
        : HttpResponse.json([finals], { headers: { Link: '</api/events?cursor=2>; rel="next"' } }),
    ),
  );
  const { user } = await renderApp('/events');
  await user.click(await screen.findByRole('button', { name: 'Show more events' }));
  expect(await screen.findByText('Clerkship panel')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more events' })).not.toBeInTheDocument();
});

test('is translated to Filipino', async () => {
  signedInAs(isabel);
  serve({ ...finals, startDate: '2037-11-28T06:00:00Z', endDate: '2037-11-28T09:00:00Z', attending: true });
  await renderApp('/events', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Mga Kaganapan' })).toBeVisible();
  const row = within((await screen.findAllByRole('listitem'))[0] as HTMLElement);
  expect(row.getByText('Nob')).toBeVisible();
  expect(row.getByText('25 dadalo')).toBeVisible();
  expect(row.getByText('Dadalo ka')).toBeVisible();
  expect(row.getByRole('button', { name: 'Huwag dumalo sa Moot court finals' })).toBeVisible();
});

test('a visitor is asked to sign in before attending', async () => {
  serve(finals);
  const { user } = await renderApp('/events');
  await user.click(await screen.findByRole('button', { name: 'Attend Moot court finals' }));
  expect(await screen.findByText('Sign in required')).toBeVisible();
  expect(screen.getByText('Please sign in to attend events')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Create an event' })).not.toBeInTheDocument();
});

test('attending is shown at once, then the state of the server, and can be undone', async () => {
  signedInAs(isabel);
  serve(finals);
  let finish = (_: Response) => {};
  const calls: string[] = [];
  const answer = ({ request }: { request: Request }) => {
    calls.push(request.method);
    return new Promise<Response>((resolve) => (finish = resolve));
  };
  server.use(
    http.put('/api/events/:id/attendance', answer as never),
    http.delete('/api/events/:id/attendance', answer as never),
  );
  const { user } = await renderApp('/events');
  await user.click(await screen.findByRole('button', { name: 'Attend Moot court finals' }));
  expect(await screen.findByText('26 attendees')).toBeVisible();
  expect(screen.getByText('Attending')).toBeVisible();
  finish(
    HttpResponse.json({
      ...finals,
      attending: true,
      attendeeCount: 40,
      attendees: [{ id: 'a1', user: isabel }],
    }),
  );
  const row = (await screen.findByText('40 attendees')).closest('li') as HTMLElement;
  expect(within(row).getByText('IR')).toBeVisible();
  expect(await screen.findByText('You are attending')).toBeVisible();

  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('39 attendees')).toBeVisible();
  expect(screen.queryByText('Attending')).not.toBeInTheDocument();
  finish(HttpResponse.json(finals));
  expect(await screen.findByText('25 attendees')).toBeVisible();
  expect(calls).toEqual(['PUT', 'DELETE']);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument());
});

test.each([
  [false, 'Attend', 'Failed to attend the event: 409: This event is over.'],
  [true, 'Leave', 'Failed to leave the event: 409: This event is over.'],
])('a refused change is reverted with the reason (attending: %s)', async (attending, name, text) => {
  signedInAs(isabel);
  serve({ ...finals, attending });
  const refused = () => problem(409, { error: 'This event is over.' });
  server.use(
    http.put('/api/events/:id/attendance', refused),
    http.delete('/api/events/:id/attendance', refused),
  );
  const { user } = await renderApp('/events');
  await user.click(await screen.findByRole('button', { name: `${name} Moot court finals` }));
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByText('25 attendees')).toBeVisible();
  expect(screen.getByRole('button', { name: `${name} Moot court finals` })).toBeVisible();
});

async function announce(from = '/events', button = 'Create an event') {
  signedInAs(isabel);
  const app = await renderApp(from);
  await app.user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create an event' }));
  return { ...app, dialog };
}

const set = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

test('a suggested end removes the error of the missing one', async () => {
  const { user, dialog } = await announce();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await dialog.findByText('An end is required')).toBeVisible();
  const starts = dialog.getByLabelText('Starts');
  set(starts, '2027-03-14T02:30');
  fireEvent.blur(starts);
  expect(dialog.getByLabelText('Ends')).toHaveValue('2027-03-14T03:30');
  await waitFor(() => expect(dialog.queryByText('An end is required')).not.toBeInTheDocument());
});

test('an event is created with times in its zone and opens', async () => {
  const sent: unknown[] = [];
  const made = eventOf({ title: 'Clerkship panel', organiser: isabel, attending: true, attendeeCount: 1 });
  server.use(
    http.post('/api/events', async ({ request }) => {
      sent.push(await request.json(), request.headers.get('Idempotency-Key'));
      return HttpResponse.json(made, { status: 201 });
    }),
  );
  const { user, dialog, path } = await announce();
  expect(dialog.getByLabelText('Title')).toHaveFocus();
  await user.type(dialog.getByLabelText('Title'), 'Clerkship panel');
  const starts = dialog.getByLabelText('Starts');
  set(starts, '2027-03-14T02:30');
  fireEvent.blur(starts);
  expect(dialog.getByLabelText('Ends')).toHaveValue('2027-03-14T03:30');
  set(dialog.getByLabelText('Ends'), '2027-03-14T05:00');
  await user.selectOptions(dialog.getByLabelText('Time zone'), 'America/New_York');
  await user.type(dialog.getByLabelText('Location'), 'Online');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('Event created')).toBeVisible();
  expect(screen.getByText('Clerkship panel is now among the upcoming events.')).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: 'Clerkship panel' })).toBeVisible();
  expect(path()).toBe(`/events/${made.id}`);
  // 2:30 was skipped that night and becomes 3:30.
  expect(sent).toEqual([
    {
      title: 'Clerkship panel',
      location: 'Online',
      startDate: '2027-03-14T07:30:00.000Z',
      endDate: '2027-03-14T09:00:00.000Z',
      timeZone: 'America/New_York',
    },
    expect.stringMatching(/^[0-9a-f]{32}$/),
  ]);
});

test('the zone is that of the browser until another is selected', async () => {
  const { dialog } = await announce();
  const mine = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(dialog.getByLabelText('Time zone')).toHaveValue(mine);
  expect(
    within(dialog.getByRole('group', { name: 'Asia' })).getByRole('option', { name: 'Manila' }),
  ).toHaveValue('Asia/Manila');
  expect(
    within(dialog.getByRole('group', { name: 'America' })).getByRole('option', { name: 'New York' }),
  ).toHaveValue('America/New_York');
});

test('an event without title, start and end is not sent', async () => {
  const { user, dialog } = await announce();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  for (const sentence of ['A title is required', 'A start is required', 'An end is required'])
    expect(await dialog.findByText(sentence)).toBeVisible();
  await user.type(dialog.getByLabelText('Title'), 'Panel');
  set(dialog.getByLabelText('Starts'), '2027-03-01T14:00');
  set(dialog.getByLabelText('Ends'), '2027-03-01T13:00');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await dialog.findByText('The end must be after the start')).toBeVisible();
});

test('the server’s errors are shown at their fields', async () => {
  server.use(
    http.post('/api/events', () =>
      problem(400, {
        error: 'Please check the form fields and try again',
        fields: { endDate: 'An event lasts at most 14 days.', timeZone: 'This is no time zone.' },
      }),
    ),
  );
  const { user, dialog } = await announce();
  await user.type(dialog.getByLabelText('Title'), 'Panel');
  set(dialog.getByLabelText('Starts'), '2027-03-01T14:00');
  set(dialog.getByLabelText('Ends'), '2027-04-01T13:00');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await dialog.findByText('An event lasts at most 14 days.')).toBeVisible();
  expect(dialog.getByText('This is no time zone.')).toBeVisible();
  expect(
    await screen.findByText('Failed to create the event: 400: Please check the form fields and try again'),
  ).toBeVisible();
  expect(dialog.getByLabelText('Title')).toHaveValue('Panel');
});

test('the Event button of the home composer creates an event from the card and from the dialog', async () => {
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))));
  const { user, dialog } = await announce('/', 'Event');
  expect(dialog.getByLabelText('Title')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

  await user.click(screen.getByRole('button', { name: 'Start a post...' }));
  const post = within(await screen.findByRole('dialog', { name: 'Create a post' }));
  await user.type(post.getByRole('textbox', { name: 'Post' }), 'Soon:');
  await user.click(post.getByRole('button', { name: 'Event' }));
  expect(await screen.findByRole('dialog', { name: 'Create an event' })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  // The unfinished text is still there.
  await user.click(screen.getByRole('button', { name: 'Start a post... Draft' }));
  expect(await screen.findByRole('textbox', { name: 'Post' })).toHaveValue('Soon:');
});

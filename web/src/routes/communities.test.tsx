// /communities: the list, joining and leaving, and creating a community.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Community } from '@/api/schema.gen';
import { communityOf } from '@/testing/communities';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const review = communityOf();
const circle = communityOf({
  id: '019a0000-0000-7000-8000-0000000000d2',
  name: 'Constitutional Law Circle',
  description: null,
  memberCount: 1,
});

const serve = (...communities: Community[]) =>
  server.use(http.get('/api/communities', () => HttpResponse.json(communities)));

/** Mocks joining and leaving, and counts the requests. */
function membership(answer: (method: 'PUT' | 'DELETE') => Response | Promise<Response>) {
  const calls: string[] = [];
  for (const method of ['put', 'delete'] as const) {
    server.use(
      http[method]('/api/communities/:id/membership', ({ params }) => {
        const name = method === 'put' ? 'PUT' : 'DELETE';
        calls.push(`${name} ${params.id}`);
        return answer(name);
      }),
    );
  }
  return calls;
}

const row = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  return within(link.closest('li') as HTMLElement);
};

test('shows name, description, members, role and link in the order of the server', async () => {
  signedInAs(isabel);
  serve({ ...circle, role: 'owner' }, { ...review, memberCount: 2310 });
  await renderApp('/communities');
  expect(await screen.findByRole('heading', { level: 1, name: 'Communities' })).toBeVisible();
  const [first, second] = await screen.findAllByRole('listitem');
  if (!first || !second) throw new Error('two communities');
  expect(within(first).getByText('1 member')).toBeVisible();
  expect(within(first).getByText('Owner')).toBeVisible();
  const leave = within(first).getByRole('button', { name: 'Leave Constitutional Law Circle' });
  expect(within(leave).getByText('Leave')).not.toHaveAttribute('aria-hidden', 'true');
  // Both labels take part in the width, so that a press moves nothing.
  expect(within(leave).getByText('Join')).toHaveAttribute('aria-hidden', 'true');
  expect(within(second).getByText('2,310 members')).toBeVisible();
  expect(within(second).getByText('Notes, comments and the people who cut them.')).toBeVisible();
  expect(within(second).queryByText(/Owner|Member$/)).not.toBeInTheDocument();
  expect(within(second).getByRole('link', { name: 'Eastbay Law Review' })).toHaveAttribute(
    'href',
    `/communities/${review.id}`,
  );
  expect(document.title).toBe('Communities | Portia');
});

test('further pages load on demand, and a failed page keeps the loaded ones', async () => {
  let failing = true;
  server.use(
    http.get('/api/communities', ({ request }) => {
      const cursor = new URL(request.url).searchParams.get('cursor');
      if (!cursor)
        return HttpResponse.json([review], {
          headers: { Link: '</api/communities?cursor=two>; rel="next"', 'X-Total-Count': '2' },
        });
      return failing ? problem(503, { error: 'Please try again soon' }) : HttpResponse.json([circle]);
    }),
  );
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Show more communities' }));
  expect(await screen.findByText('Communities could not be loaded. Please try again later.')).toBeVisible();
  expect(screen.getByText('Eastbay Law Review')).toBeVisible();
  failing = false;
  await user.click(screen.getByRole('button', { name: 'Show more communities' }));
  expect(await screen.findByText('Constitutional Law Circle')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more communities' })).not.toBeInTheDocument();
});

test('an empty list, a failed list, and an unavailable service', async () => {
  const { unmount } = await renderApp('/communities');
  expect(await screen.findByText('No communities yet.')).toBeVisible();
  unmount();

  server.use(http.get('/api/communities', () => problem(500, { error: 'Something went wrong' })));
  const second = await renderApp('/communities');
  expect(await screen.findByText('Communities could not be loaded. Please try again later.')).toBeVisible();
  second.unmount();

  server.use(
    http.get('/api/communities', () => HttpResponse.json([], { headers: { 'X-Degraded': 'social-graph' } })),
  );
  await renderApp('/communities');
  expect(await screen.findByText('Communities could not be loaded. Please try again later.')).toBeVisible();
  expect(screen.queryByText('No communities yet.')).not.toBeInTheDocument();
});

test('is translated to Filipino', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'member' });
  await renderApp('/communities', { language: 'fil' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Mga Komunidad' })).toBeVisible();
  expect(await screen.findByText('12 kasapi')).toBeVisible();
  expect(screen.getByText('Kasapi')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Umalis sa Eastbay Law Review' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Gumawa ng komunidad' })).toBeVisible();
});

test('a visitor reads the list and is asked to sign in before joining', async () => {
  serve(review);
  const calls = membership(() => HttpResponse.json(review));
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Join Eastbay Law Review' }));
  expect(await screen.findByText('Sign in required')).toBeVisible();
  expect(screen.getByText('Please sign in to join communities')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Create a community' })).not.toBeInTheDocument();
  expect(calls).toEqual([]);
});

test('joining is shown at once, then the state of the server', async () => {
  signedInAs(isabel);
  serve(circle, review);
  let finish = (_: Response) => {};
  const calls = membership(() => new Promise<Response>((resolve) => (finish = resolve)));
  const { user } = await renderApp('/communities');
  const eastbay = await row('Eastbay Law Review');
  await user.click(eastbay.getByRole('button', { name: 'Join Eastbay Law Review' }));
  expect(await eastbay.findByText('13 members')).toBeVisible();
  expect(eastbay.getByText('Member')).toBeVisible();
  expect(eastbay.getByRole('button', { name: 'Leave Eastbay Law Review' })).toHaveFocus();
  finish(HttpResponse.json({ ...review, role: 'member', memberCount: 20 }));
  expect(await eastbay.findByText('20 members')).toBeVisible();
  expect(calls).toEqual([`PUT ${review.id}`]);
  // The order stays.
  expect(screen.getAllByRole('listitem')[1]).toHaveTextContent('Eastbay Law Review');
});

test('a refused joining is reverted with the reason', async () => {
  signedInAs(isabel);
  serve(review);
  membership(() => problem(503, { error: 'Please try again soon' }));
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Join Eastbay Law Review' }));
  expect(await screen.findByText('Failed to join the community: 503: Please try again soon')).toBeVisible();
  expect(screen.getByText('Error')).toBeVisible();
  expect(screen.getByText('12 members')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Join Eastbay Law Review' })).toBeVisible();
});

test('leaving happens at once and can be undone', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'member' });
  const calls = membership((method) =>
    HttpResponse.json(method === 'PUT' ? { ...review, role: 'member' } : { ...review, memberCount: 11 }),
  );
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Leave Eastbay Law Review' }));
  expect(await screen.findByText('11 members')).toBeVisible();
  expect(await screen.findByText('You left Eastbay Law Review')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('12 members')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Leave Eastbay Law Review' })).toBeVisible();
  await waitFor(() => expect(calls).toEqual([`DELETE ${review.id}`, `PUT ${review.id}`]));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument());
});

test('joining can be undone', async () => {
  signedInAs(isabel);
  serve(review);
  const calls = membership((method) =>
    HttpResponse.json(method === 'PUT' ? { ...review, role: 'member', memberCount: 13 } : review),
  );
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Join Eastbay Law Review' }));
  expect(await screen.findByText('You joined Eastbay Law Review')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('12 members')).toBeVisible();
  await waitFor(() => expect(calls).toEqual([`PUT ${review.id}`, `DELETE ${review.id}`]));
});

test('an owner is asked before leaving, and cannot undo it', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'owner' });
  const calls = membership(() => HttpResponse.json({ ...review, memberCount: 11 }));
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Leave Eastbay Law Review' }));
  let dialog = within(await screen.findByRole('dialog', { name: 'Leave this community?' }));
  expect(dialog.getAllByText(/no longer see the posts of Eastbay Law Review/)[0]).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(calls).toEqual([]);

  await user.click(screen.getByRole('button', { name: 'Leave Eastbay Law Review' }));
  dialog = within(await screen.findByRole('dialog', { name: 'Leave this community?' }));
  await user.click(dialog.getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('You left Eastbay Law Review')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  expect(calls).toEqual([`DELETE ${review.id}`]);
});

test('the last owner stays and sees the reason', async () => {
  signedInAs(isabel);
  serve({ ...review, role: 'owner' });
  const sentence = 'A community needs an owner: make another member one first.';
  membership(() => problem(409, { error: sentence, code: 'LAST_OWNER' }));
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Leave Eastbay Law Review' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText(`Failed to leave the community: 409: ${sentence}`)).toBeVisible();
  expect(screen.getByText('Owner')).toBeVisible();
  expect(screen.getByText('12 members')).toBeVisible();
});

test('a joined community is one of the member’s on the home screen', async () => {
  signedInAs(isabel);
  let communities: Community[] = [circle, review];
  server.use(
    http.get('/api/communities', () => HttpResponse.json(communities)),
    http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))),
  );
  const joined = { ...review, role: 'member' as const, memberCount: 13 };
  membership(() => {
    communities = [joined, circle];
    return HttpResponse.json(joined);
  });
  const { user } = await renderApp('/communities');
  await user.click(await screen.findByRole('button', { name: 'Join Eastbay Law Review' }));
  await waitFor(() => expect(screen.getByText('13 members')).toBeVisible());
  await user.click(screen.getAllByRole('link', { name: 'Home' })[0] as HTMLElement);
  const card = within(await screen.findByRole('region', { name: 'Your Legal Communities' }));
  await waitFor(() => expect(card.getAllByRole('listitem')[0]).toHaveTextContent('Eastbay Law Review'));
});

async function found() {
  signedInAs(isabel);
  const app = await renderApp('/communities');
  await app.user.click(await screen.findByRole('button', { name: 'Create a community' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a community' }));
  return { ...app, dialog };
}

test('a community is created from the form and opens', async () => {
  const sent: unknown[] = [];
  const made = communityOf({ name: 'Moot Court', role: 'owner', memberCount: 1, rules: null });
  server.use(
    http.post('/api/communities', async ({ request }) => {
      sent.push(await request.json(), request.headers.get('Idempotency-Key'));
      return HttpResponse.json(made, { status: 201 });
    }),
  );
  const { user, dialog, path } = await found();
  expect(dialog.getByLabelText('Name')).toHaveFocus();
  await user.type(dialog.getByLabelText('Name'), '  Moot Court ');
  await user.type(dialog.getByLabelText('Description'), 'Oral argument.');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('Community created')).toBeVisible();
  expect(screen.getByText('Moot Court is open to new members.')).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: 'Moot Court' })).toBeVisible();
  expect(path()).toBe(`/communities/${made.id}`);
  expect(sent).toEqual([
    { name: 'Moot Court', description: 'Oral argument.' },
    expect.stringMatching(/^[0-9a-f]{32}$/),
  ]);
});

test('a community with a missing or too long name is not sent', async () => {
  const { user, dialog } = await found();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await dialog.findByText('A name is required')).toBeVisible();
  expect(dialog.getByLabelText('Name')).toHaveAttribute('aria-invalid', 'true');
  await user.click(dialog.getByLabelText('Name'));
  await user.paste('x'.repeat(101));
  await user.click(dialog.getByLabelText('Description'));
  await user.paste('x'.repeat(501));
  await user.click(dialog.getByLabelText('Rules'));
  await user.paste('x'.repeat(5_001));
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  for (const maximum of ['100', '500', '5000'])
    expect(await dialog.findByText(`Must be at most ${maximum} characters`)).toBeVisible();
});

test('a used name shows an error at its field; a retry keeps its key, another name gets a new key', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post('/api/communities', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return problem(409, {
        error: 'There is a community of this name already.',
        fields: { name: 'There is a community of this name already.' },
      });
    }),
  );
  const { user, dialog } = await found();
  await user.type(dialog.getByLabelText('Name'), 'Moot Court');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await dialog.findByText('There is a community of this name already.')).toBeVisible();
  expect(
    await screen.findByText(
      'Failed to create the community: 409: There is a community of this name already.',
    ),
  ).toBeVisible();
  expect(dialog.getByLabelText('Name')).toHaveFocus();
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(keys).toHaveLength(2));
  await user.type(dialog.getByLabelText('Name'), 's');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(keys).toHaveLength(3));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

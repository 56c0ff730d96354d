// The onboarding: five steps that can be skipped, kept by the server, and the checklist on home.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import type {
  Community,
  Onboarding,
  ProfileView,
  Suggestion,
  UpdateUser as UserChanges,
} from '@/api/schema.gen';
import { communityOf } from '@/testing/communities';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const order = ['school', 'graduation-year', 'interests', 'people', 'communities'] as const;
type State = Onboarding['items'][number]['state'];

let known: ProfileView;
let changes: object[];
let patched: UserChanges[];

/** The states of the steps in their order. */
function given(...states: State[]): void {
  const items = order.map((step, index) => ({ step, state: states[index] ?? 'open' }));
  known = { ...known, onboarding: { items, dismissed: false } };
}

beforeEach(() => {
  localStorage.clear();
  changes = [];
  patched = [];
  known = profileOf({ ...isabel, school: null, graduationYear: null });
  given();
  signedInAs(known.user);
  server.use(
    http.get('/api/users/:id/profile', () => HttpResponse.json(known)),
    http.patch('/api/users/:id', async ({ request }) => {
      const body = (await request.json()) as UserChanges;
      patched.push(body);
      known = { ...known, user: { ...known.user, ...body } as ProfileView['user'] };
      return HttpResponse.json(known.user);
    }),
    http.patch('/api/users/:id/onboarding', async ({ request }) => {
      const change = (await request.json()) as { step?: string; state?: State; dismissed?: boolean };
      changes.push(change);
      const items = (known.onboarding?.items ?? []).map((item) =>
        item.step === change.step ? { ...item, state: change.state ?? item.state } : item,
      );
      known = { ...known, onboarding: { items, dismissed: change.dismissed ?? false } };
      return HttpResponse.json(known.onboarding);
    }),
  );
});

const heading = (name: string) => screen.findByRole('heading', { level: 2, name });

test('starts at the first open step and goes on after each answer', async () => {
  given('done', 'skipped');
  const { user } = await renderApp('/welcome');
  expect(await heading('What do you work on?')).toHaveFocus();
  await user.click(screen.getByRole('checkbox', { name: 'Tax law' }));
  await user.selectOptions(screen.getByLabelText('Jurisdictions'), 'Philippines');
  await user.click(screen.getByRole('button', { name: 'Save and continue' }));
  await heading('Connect with three people');
  expect(patched).toEqual([{ jurisdictions: ['ph'], interests: ['tax'] }]);
  expect(changes).toEqual([{ step: 'interests', state: 'done' }]);
});

test('a school is chosen from the list by keyboard, or typed', async () => {
  const { user } = await renderApp('/welcome?step=school');
  await heading('Which law school do you attend?');
  const field = screen.getByRole('combobox', { name: 'School' });
  expect(screen.getByRole('button', { name: 'Save and continue' })).toBeDisabled();
  await user.type(field, 'ust civil');
  expect(
    await screen.findByRole('option', { name: 'University of Santo Tomas Faculty of Civil Law' }),
  ).toBeVisible();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(field).toHaveValue('University of Santo Tomas Faculty of Civil Law');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.clear(field);
  await user.type(field, 'Unlisted College of Law{Enter}');
  await heading('When do you graduate?');
  expect(patched).toEqual([{ school: 'Unlisted College of Law' }]);
});

test('the list of schools and its active option are scrolled into view', async () => {
  const scrolled: Element[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(this: Element) {
    scrolled.push(this);
  });
  const { user } = await renderApp('/welcome?step=school');
  await heading('Which law school do you attend?');
  await user.type(screen.getByRole('combobox', { name: 'School' }), 'ust civil');
  const list = await screen.findByRole('listbox');
  await waitFor(() => expect(scrolled.at(-1)).toContainElement(list));
  await user.keyboard('{ArrowDown}');
  expect(scrolled.at(-1)).toBe(screen.getAllByRole('option')[0]);
  await user.keyboard('{Escape}');
});

test('a year outside the range is refused before it is sent', async () => {
  const { user } = await renderApp('/welcome?step=graduation-year');
  await heading('When do you graduate?');
  const field = screen.getByLabelText('Graduation Year');
  await user.type(field, '1949{Enter}');
  const last = new Date().getFullYear() + 10;
  expect(field).toHaveAccessibleDescription(`Enter a year from 1950 to ${last}.`);
  expect(patched).toEqual([]);
  await user.clear(field);
  await user.type(field, '2027{Enter}');
  await heading('What do you work on?');
  expect(patched).toEqual([{ graduationYear: '2027' }]);
});

test('every step can be skipped; the last one leads home', async () => {
  const { user, path } = await renderApp('/welcome');
  for (const name of [
    'Which law school do you attend?',
    'When do you graduate?',
    'What do you work on?',
    'Connect with three people',
    'Join two communities',
  ]) {
    await heading(name);
    await user.click(screen.getByRole('button', { name: 'Skip' }));
  }
  await waitFor(() => expect(path()).toBe('/'));
  expect(changes).toEqual(order.map((step) => ({ step, state: 'skipped' })));
  expect(patched).toEqual([]);
});

test('people are asked and communities joined in place', async () => {
  const person: Suggestion = {
    id: '019a0000-0000-7000-8000-000000000009',
    fullName: 'Ben Cruz',
    headline: '2L',
    avatarUrl: null,
    mutualConnections: 0,
    reason: 'school',
  };
  let moot: Community = communityOf({ name: 'Moot Court', role: null, memberCount: 3 });
  const asked: object[] = [];
  server.use(
    http.get('/api/users/:id/suggestions', () => HttpResponse.json([person])),
    http.post('/api/connections', async ({ request }) => {
      asked.push((await request.json()) as object);
      const connection = { id: 'c', requesterId: isabel.id, recipientId: person.id, status: 'pending' };
      return HttpResponse.json(connection, { status: 201 });
    }),
    http.get('/api/communities', () => HttpResponse.json([moot])),
    http.put('/api/communities/:id/membership', () => {
      moot = { ...moot, role: 'member', memberCount: 4 };
      return HttpResponse.json(moot);
    }),
  );
  const { user } = await renderApp('/welcome?step=people');
  await user.click(await screen.findByRole('button', { name: 'Connect with Ben Cruz' }));
  expect(await screen.findByText('1 of 3 requests sent')).toBeVisible();
  expect(asked).toEqual([{ requesterId: isabel.id, recipientId: person.id, status: 'pending' }]);
  expect(screen.getByText('Ben Cruz')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await user.click(await screen.findByRole('link', { name: /^Two communities/ }));
  await user.click(await screen.findByRole('button', { name: /Join Moot Court/ }));
  expect(await screen.findByText('1 of 2 joined')).toBeVisible();
});

test('a member without an onboarding has nothing to do', async () => {
  known = profileOf(isabel);
  await renderApp('/welcome');
  expect(await screen.findByText('You are set up')).toBeVisible();
});

test('a failed save keeps the answer', async () => {
  server.use(http.patch('/api/users/:id', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/welcome?step=graduation-year');
  await heading('When do you graduate?');
  await user.type(screen.getByLabelText('Graduation Year'), '2027{Enter}');
  expect(await screen.findByText('Your answer could not be saved: 503: Please try again soon')).toBeVisible();
  expect(screen.getByLabelText('Graduation Year')).toHaveValue('2027');
});

const card = () => screen.findByRole('region', { name: 'Set up your profile' });

test('home shows the checklist until it is done', async () => {
  given('done', 'open', 'skipped');
  await renderApp('/');
  const checklist = within(await card());
  expect(checklist.getByText('1 of 5 done')).toBeVisible();
  expect(checklist.getByText('Done: Add your school')).toBeInTheDocument();
  expect(checklist.getByRole('link', { name: 'Add your graduation year' })).toHaveAttribute(
    'href',
    '/welcome?step=graduation-year',
  );
  expect(checklist.getByRole('link', { name: 'Choose interests' })).toBeVisible();
  expect(checklist.getByRole('link', { name: 'Continue' })).toHaveAttribute(
    'href',
    '/welcome?step=graduation-year',
  );
});

test('joining on the screen of communities counts for the checklist', async () => {
  given('done', 'done', 'done', 'done', 'open');
  const community = communityOf();
  server.use(
    http.get('/api/communities', () => HttpResponse.json([community])),
    http.put('/api/communities/:id/membership', () => {
      // The server counts the memberships.
      given('done', 'done', 'done', 'done', 'done');
      return HttpResponse.json({ ...community, role: 'member' });
    }),
  );
  const { user } = await renderApp('/');
  expect(within(await card()).getByText('4 of 5 done')).toBeVisible();
  await user.click(await screen.findByRole('link', { name: 'Find communities' }));
  await user.click(await screen.findByRole('button', { name: 'Join Eastbay Law Review' }));
  await screen.findByText('You joined Eastbay Law Review');
  await user.click(screen.getAllByRole('link', { name: 'Home' })[0] as HTMLElement);
  await screen.findByRole('button', { name: 'Start a post...' });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up your profile' })).toBeNull());
});

test('a dismissed checklist disappears', async () => {
  const { user } = await renderApp('/');
  await user.click(within(await card()).getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up your profile' })).toBeNull());
  expect(changes).toEqual([{ dismissed: true }]);
});

test.each([
  ['every step is done', () => given('done', 'done', 'done', 'done', 'done')],
  [
    'the response has no onboarding',
    () => {
      known = profileOf(isabel);
    },
  ],
])('home shows no checklist when %s', async (_, prepare) => {
  prepare();
  await renderApp('/');
  await screen.findByRole('button', { name: 'Start a post...' });
  await screen.findByText('Profile views');
  expect(screen.queryByRole('region', { name: 'Set up your profile' })).toBeNull();
});

test('registration still leads to home, with the checklist', async () => {
  server.use(http.post('/api/auth/register', () => HttpResponse.json(known.user, { status: 201 })));
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { user, path } = await renderApp('/auth?register=true');
  await user.type(await screen.findByLabelText('Username'), 'isabel');
  await user.type(screen.getByLabelText('Password'), 'secret1');
  await user.type(screen.getByLabelText('Full Name'), 'Isabel Reyes{Enter}');
  expect(await card()).toBeVisible();
  expect(path()).toBe('/');
});

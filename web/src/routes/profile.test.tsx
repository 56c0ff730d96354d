// The profile of a member: content, fallbacks of missing data, and failure.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import type { ProfileView, User } from '@/api/schema.gen';
import { postOf, priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const address = `/profile/${isabel.id}`;

/** Serves this member from now on. */
function answer(changes: Partial<User>, profile: Partial<ProfileView['profile']> = {}) {
  const view = profileOf({ ...isabel, ...changes });
  server.use(
    http.get('/api/users/:id/profile', () =>
      HttpResponse.json({ ...view, profile: { ...view.profile, ...profile } }),
    ),
  );
}

const card = async (name: string) => within(await screen.findByRole('region', { name }));

test('shows name, headline, place and join date, also to a visitor', async () => {
  const joined = new Date(Date.now() - 65 * 86_400_000).toISOString();
  answer({ createdAt: joined });
  await renderApp(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Isabel Reyes' })).toBeVisible();
  const head = await card('Isabel Reyes');
  expect(head.getByText('3L at Manila College of Law')).toBeVisible();
  expect(head.getByText('Manila, Philippines')).toBeVisible();
  expect(head.getByText('Joined 2 months ago')).toBeVisible();
  expect(document.title).toBe('Isabel Reyes | Portia');
});

describe('a name that other members have', () => {
  const namesake = { ...priya, fullName: 'Isabel Reyes', verified: true, verifiedSchool: 'Eastbay Law' };

  function serve() {
    const asked: unknown[] = [];
    server.use(
      http.get('/api/users/:id/namesakes', ({ params }) => {
        asked.push(params.id);
        return HttpResponse.json([namesake]);
      }),
    );
    return asked;
  }

  test('is shown on the profile of an unverified member, with a link', async () => {
    serve();
    answer({});
    await renderApp(address);
    const hint = await card('Another member has the same name');
    expect(hint.getByRole('link', { name: 'Isabel Reyes' })).toHaveAttribute('href', `/profile/${priya.id}`);
    expect(await hint.findByRole('img', { name: 'Verified by Eastbay Law' })).toBeVisible();
  });

  test('is not looked up for a verified member, nor on the own profile', async () => {
    const asked = serve();
    answer({ verified: true });
    await renderApp(address);
    expect(await screen.findByRole('img', { name: 'Verified by Portia' })).toBeVisible();
    answer({});
    signedInAs(isabel);
    await renderApp(address);
    expect(await screen.findByRole('button', { name: 'Edit Profile' })).toBeVisible();
    expect(asked).toEqual([]);
  });
});

test('requests the member of the address', async () => {
  const asked: unknown[] = [];
  server.use(
    http.get('/api/users/:id/profile', ({ params }) => {
      asked.push(params.id);
      return HttpResponse.json(profileOf({ ...isabel, ...priya }));
    }),
  );
  await renderApp(`/profile/${priya.id}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya Raghavan' })).toBeVisible();
  expect(asked).toEqual([priya.id]);
});

test('without posts the owner gets a link that opens the composer', async () => {
  signedInAs(isabel);
  server.use(http.get('/api/posts', () => HttpResponse.json([])));
  answer({});
  const { user } = await renderApp(address);
  await screen.findByText('No posts yet.');
  await user.click(screen.getByRole('link', { name: 'Create a post' }));
  expect(await screen.findByRole('dialog', { name: 'Create a post' })).toBeVisible();
});

test('without posts a visitor gets no link to the composer', async () => {
  server.use(http.get('/api/posts', () => HttpResponse.json([])));
  answer({});
  await renderApp(address);
  await screen.findByText('No posts yet.');
  expect(screen.queryByRole('link', { name: 'Create a post' })).toBeNull();
});

test('an empty profile falls back to the school and has placeholders', async () => {
  answer({});
  await renderApp(address);
  expect(await screen.findByText('No bio information provided yet.')).toBeVisible();
  const education = await card('Education');
  expect(education.getByText('Manila College of Law')).toBeVisible();
  expect(education.getByText('Juris Doctor (J.D.)')).toBeVisible();
  expect(education.getByText('Expected 2027')).toBeVisible();
  expect(await screen.findByText('No posts yet.')).toBeVisible();
});

test('the fallback omits a missing year, and needs a school', async () => {
  answer({ graduationYear: null });
  const { unmount } = await renderApp(address);
  expect(await screen.findByText('Juris Doctor (J.D.)')).toBeVisible();
  expect(screen.queryByText(/Expected/)).not.toBeInTheDocument();
  unmount();

  answer({ school: null });
  await renderApp(address);
  expect(await screen.findByText('No education listed yet.')).toBeVisible();
  expect(screen.queryByText('Juris Doctor (J.D.)')).not.toBeInTheDocument();
});

test('lists bio, experience and education instead of the fallbacks', async () => {
  const entry = { id: '1', description: null, location: null };
  answer(
    {},
    {
      bio: 'Oralist.',
      experiences: [
        {
          ...entry,
          title: 'Legal intern',
          company: 'Metro Legal Aid',
          startDate: '2026-06',
          endDate: null,
          isCurrentPosition: true,
          location: 'Manila',
        },
        {
          ...entry,
          id: '2',
          title: 'Research assistant',
          company: 'Manila College of Law',
          startDate: '2025-08',
          endDate: '2026-05',
          isCurrentPosition: false,
        },
      ],
      education: [
        {
          ...entry,
          institution: 'Eastbay School of Law',
          degree: 'LL.M.',
          fieldOfStudy: 'Labor law',
          startDate: '2024-08',
          endDate: '2025-05',
        },
      ],
    },
  );
  await renderApp(address);
  expect(await screen.findByText('Oralist.')).toBeVisible();
  const experience = await card('Experience');
  expect(experience.getByText('Jun 2026 to present · Manila')).toBeVisible();
  expect(experience.getByText('Aug 2025 to May 2026')).toBeVisible();
  const education = await card('Education');
  expect(education.getByText('LL.M., Labor law')).toBeVisible();
  expect(screen.queryByText('Juris Doctor (J.D.)')).not.toBeInTheDocument();
});

test('tabs: the posts of this member, activity, skills', async () => {
  answer({}, { skills: ['Moot court', 'Legal research'] });
  let asked: string | null = null;
  server.use(
    http.get('/api/posts', ({ request }) => {
      asked = new URL(request.url).searchParams.get('userId');
      return HttpResponse.json([postOf({ content: 'Draft three is done.' })]);
    }),
  );
  const { user } = await renderApp(address);
  expect(await screen.findByText('Draft three is done.')).toBeVisible();
  expect(asked).toBe(isabel.id);
  await user.click(screen.getByRole('tab', { name: 'Activity' }));
  expect(await screen.findByText('Recent activity will appear here.')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Skills & Endorsements' }));
  expect(screen.getByText('Moot court')).toBeVisible();
  expect(screen.getByText('Legal research')).toBeVisible();
});

test('the tab is part of the address: Back from a post returns to it', async () => {
  server.use(
    http.get('/api/posts', () => HttpResponse.json([])),
    http.get('/api/users/:id/activity', () => HttpResponse.json([])),
  );
  const { user, path } = await renderApp(`/profile/${isabel.id}`);
  await user.click(await screen.findByRole('tab', { name: 'Activity' }));
  expect(path()).toBe(`/profile/${isabel.id}?tab=activity`);
  await user.click(screen.getByRole('tab', { name: 'Posts' }));
  expect(path()).toBe(`/profile/${isabel.id}`);
});

test('an address with a tab shows it', async () => {
  await renderApp(`/profile/${isabel.id}?tab=skills`);
  expect(await screen.findByRole('tab', { name: 'Skills & Endorsements', selected: true })).toBeVisible();
});

test('Website and LinkedIn open in a new tab; the member’s own profile has no Message', async () => {
  answer({ website: 'https://isabel.example', linkedin: 'https://www.linkedin.com/in/isabel' });
  signedInAs(isabel);
  await renderApp(address);
  const head = await card('Isabel Reyes');
  const website = head.getByRole('link', { name: 'Website' });
  expect(website).toHaveAttribute('href', 'https://isabel.example');
  expect(website).toHaveAttribute('target', '_blank');
  expect(website).toHaveAttribute('rel', 'noopener nofollow ugc');
  const linkedin = head.getByRole('link', { name: 'LinkedIn' });
  expect(linkedin).toHaveAttribute('href', 'https://www.linkedin.com/in/isabel');
  expect(linkedin).toHaveAttribute('rel', 'noopener nofollow ugc');
  expect(head.queryByRole('link', { name: 'Message' })).not.toBeInTheDocument();
  expect(head.queryByRole('button', { name: 'Message' })).not.toBeInTheDocument();
});

test('an invalid web address is not linked', async () => {
  answer({ website: 'javascript:alert(1)', linkedin: 'data:text/html,x' });
  await renderApp(address);
  await screen.findByRole('heading', { level: 1, name: 'Isabel Reyes' });
  expect(screen.queryByRole('link', { name: 'Website' })).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'LinkedIn' })).not.toBeInTheDocument();
});

describe('editing', () => {
  const buttons = ['Edit Profile', 'Edit About', 'Edit Experience', 'Edit Education'];

  test('the owner may: the icon of each card opens the dialog at its tab', async () => {
    answer({});
    signedInAs(isabel);
    const { user } = await renderApp(address);
    for (const [button, tab] of [
      ['Edit Profile', 'Basic Info'],
      ['Edit About', 'Basic Info'],
      ['Edit Experience', 'Experience'],
      ['Edit Education', 'Education'],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: button }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Edit Profile' }));
      expect(dialog.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
      await user.click(dialog.getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
      await waitFor(() => expect(screen.getByRole('button', { name: button })).toHaveFocus());
    }
    await user.click(screen.getByRole('tab', { name: 'Skills & Endorsements' }));
    await user.click(screen.getByRole('button', { name: 'Edit Skills' }));
    expect(await screen.findByRole('textbox', { name: 'Add a skill' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Connect' })).not.toBeInTheDocument();
  });

  test.each([
    ['a visitor', null],
    ['another member', { ...isabel, ...priya }],
  ])('%s may not', async (_, me) => {
    answer({});
    if (me) signedInAs(me);
    const { user } = await renderApp(address);
    expect(await screen.findByRole('button', { name: 'Connect' })).toBeEnabled();
    await user.click(screen.getByRole('tab', { name: 'Skills & Endorsements' }));
    for (const name of [...buttons, 'Edit Skills'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  });
});

test.each([
  ['an unknown id', () => problem(404, { error: 'User not found' })],
  ['a failing server', () => problem(503, { error: 'Please try again soon' })],
])('%s shows that the profile cannot be loaded', async (_, failure) => {
  server.use(http.get('/api/users/:id/profile', failure));
  await renderApp(address);
  expect(await screen.findByText('Error loading profile')).toBeVisible();
  expect(screen.getByText('Unable to load user profile information. Please try again later.')).toBeVisible();
  expect(document.title).toBe('Profile | Portia');
});

test('is translated to Filipino', async () => {
  answer({});
  await renderApp(address, { language: 'fil' });
  expect(await screen.findByText('Wala pang ibinigay na impormasyon sa bio.')).toBeVisible();
  expect(screen.getByText('Inaasahan sa 2027')).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Mga Kasanayan at Endorsement' })).toBeVisible();
  expect(await screen.findByText('Wala pang post.')).toBeVisible();
});

test('only the member’s own profile links to the settings', async () => {
  answer({});
  signedInAs(isabel);
  const { unmount } = await renderApp(address);
  await screen.findByRole('button', { name: 'Edit Profile' });
  const main = () => within(screen.getByRole('main'));
  expect(main().getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings');
  unmount();
  signedInAs({ ...isabel, ...priya });
  await renderApp(address);
  await screen.findByRole('button', { name: 'Connect' });
  expect(main().queryByRole('link', { name: 'Settings' })).not.toBeInTheDocument();
});

test('a member outside the audience sees the name and the connection button only', async () => {
  signedInAs(isabel);
  const user = {
    ...isabel,
    id: '019a0000-0000-7000-8000-0000000000d1',
    fullName: 'Dina Santos',
    username: '',
  };
  server.use(
    http.get('/api/users/:id/profile', () =>
      HttpResponse.json({ ...profileOf({ ...user, headline: null }), restricted: true }),
    ),
  );
  await renderApp(`/profile/${user.id}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Dina Santos' })).toBeVisible();
  expect(screen.getByText('Dina Santos limits who sees this profile')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Connect' })).toBeVisible();
  expect(screen.queryByRole('tab', { name: 'Posts' })).toBeNull();
  expect(screen.queryByText('No bio information provided yet.')).toBeNull();
});

test('jurisdictions and interests are shown, and unknown codes are not', async () => {
  const user = { ...isabel, jurisdictions: ['ph', 'mars'], interests: ['tax'] };
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(user))));
  await renderApp(`/profile/${isabel.id}`);
  const card = within(await screen.findByRole('region', { name: 'Jurisdictions and interests' }));
  expect(card.getByText('Philippines')).toBeVisible();
  expect(card.getByText('Tax law')).toBeVisible();
  expect(card.queryByText('mars')).toBeNull();
});

test('a profile without the newer fields has no such card', async () => {
  const { jurisdictions: _, interests: __, ...user } = isabel;
  const { restricted: ___, ...view } = profileOf(isabel);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json({ ...view, user })));
  await renderApp(`/profile/${isabel.id}`);
  expect(await screen.findByText('No bio information provided yet.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Jurisdictions and interests' })).toBeNull();
});

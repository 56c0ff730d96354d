// /settings: password, sessions, recovery codes, appearance, blocked members, export and deletion, with texts and requests.
import { screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Block, OpenSession, TrustedBrowser } from '@/api/schema.gen';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

let sent: [string, unknown][];

beforeEach(() => {
  sent = [];
  signedInAs(isabel);
});

const silence = () => new HttpResponse(null, { status: 204 });
const field = (label: string) => screen.getByLabelText(label, { exact: true });
const section = async (name: string) => within(await screen.findByRole('region', { name }));

function posts(path: string, answer: () => Response = silence) {
  server.use(
    http.post(path, async ({ request }) => {
      sent.push([path, await request.json()]);
      return answer();
    }),
  );
}

test('a visitor is redirected to /auth', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { path } = await renderApp('/settings');
  await waitFor(() => expect(path()).toBe('/auth'));
});

test('shows the account and all sections', async () => {
  await renderApp('/settings');
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(screen.getByText('Signed in as isabel')).toBeVisible();
  const sections = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  expect(sections).toEqual([
    'Password',
    'Sessions',
    'Passkeys',
    'Recovery codes',
    'Authenticator app',
    'Appearance',
    'Keyboard shortcuts',
    'Notifications',
    'Notifications on this device',
    'Feed',
    'Privacy',
    'Blocked members',
    'Your data',
    'Delete account',
  ]);
  expect(document.title).toBe('Settings | Portia');
});

test('the contents name every section and lead to it', async () => {
  const { user, path } = await renderApp('/settings');
  const contents = within(await screen.findByRole('navigation', { name: 'Sections' }));
  const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  expect(contents.getAllByRole('link').map((link) => link.textContent)).toEqual(titles);
  for (const title of titles) {
    await user.click(contents.getByRole('link', { name: title ?? '' }));
    expect(screen.getByRole('heading', { level: 2, name: title ?? '' })).toHaveFocus();
  }
  expect(path()).toBe('/settings');
});

test('the contents have no link to a section that the server does not offer', async () => {
  server.use(http.get('/api/push', () => problem(404, { error: 'Not found' })));
  await renderApp('/settings');
  const contents = within(await screen.findByRole('navigation', { name: 'Sections' }));
  await waitFor(() =>
    expect(contents.queryByRole('link', { name: 'Notifications on this device' })).not.toBeInTheDocument(),
  );
  expect(contents.getByRole('link', { name: 'Notifications' })).toBeVisible();
});

describe('password', () => {
  const path = '/api/auth/change-password';

  async function change(user: Awaited<ReturnType<typeof renderApp>>['user'], current: string, next: string) {
    await screen.findByLabelText('Current Password');
    if (current) await user.type(field('Current Password'), current);
    await user.type(field('New Password'), next);
    await user.type(field('Confirm Password'), next);
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  }

  test('is changed with the current one, and the form is empty again', async () => {
    posts(path);
    const lists: string[] = [];
    const listed = (name: string) =>
      http.get(`/api/auth/${name}`, () => {
        lists.push(name);
        return HttpResponse.json([]);
      });
    server.use(listed('sessions'), listed('trusted-browsers'));
    const { user } = await renderApp('/settings');
    await waitFor(() => expect(lists.sort()).toEqual(['sessions', 'trusted-browsers']));
    await change(user, 'secret1', 'correct horse');
    expect(await screen.findByText('Password changed')).toBeVisible();
    // The change ended other sessions and all trust.
    await waitFor(() => expect(lists).toHaveLength(4));
    expect(sent).toEqual([[path, { currentPassword: 'secret1', newPassword: 'correct horse' }]]);
    for (const label of ['Current Password', 'New Password', 'Confirm Password'])
      expect(field(label)).toHaveValue('');
  });

  test('requires the current one, six characters, and the same twice', async () => {
    const { user } = await renderApp('/settings');
    await screen.findByLabelText('Current Password');
    await user.type(field('New Password'), '12345');
    await user.type(field('Confirm Password'), '123456');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() =>
      expect(field('Current Password')).toHaveAccessibleDescription('Enter your current password'),
    );
    expect(field('New Password')).toHaveAccessibleDescription(/Password must be at least 6 characters/);
    expect(field('Confirm Password')).toHaveAccessibleDescription('The two passwords differ');
    expect(sent).toEqual([]);
  });

  test('a wrong current one shows an error at its field', async () => {
    posts(path, () =>
      problem(403, { error: 'This is not your password', fields: { currentPassword: 'Wrong password' } }),
    );
    const { user } = await renderApp('/settings');
    await change(user, 'secret2', 'correct horse');
    expect(await screen.findByText('This is not your password')).toBeVisible();
    expect(field('Current Password')).toHaveAccessibleDescription('Wrong password');
    expect(field('New Password')).toHaveValue('correct horse');
  });

  test('a refused new one shows an error at its field', async () => {
    posts(path, () =>
      problem(400, { error: 'Please choose another', fields: { newPassword: 'Too common' } }),
    );
    const { user } = await renderApp('/settings');
    await change(user, 'secret1', 'password');
    await waitFor(() => expect(field('New Password')).toHaveAccessibleDescription(/Too common/));
  });

  test('a failure without an error sentence', async () => {
    posts(path, () => HttpResponse.error());
    const { user } = await renderApp('/settings');
    await change(user, 'secret1', 'correct horse');
    expect(await screen.findByText('Failed to change password')).toBeVisible();
  });
});

describe('sessions', () => {
  const agent = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko)';
  const session = (id: string, changes: Partial<OpenSession> = {}): OpenSession => ({
    id,
    browser: `${agent} Chrome/142.0.0.0 Safari/537.36`,
    address: '203.0.113.7',
    createdAt: '2026-11-01T08:00:00Z',
    lastSeenAt: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    current: false,
    trustedSince: null,
    ...changes,
  });
  const serves = (...sessions: OpenSession[]) =>
    server.use(http.get('/api/auth/sessions', () => HttpResponse.json(sessions)));

  const trusted = (id: string, changes: Partial<TrustedBrowser> = {}): TrustedBrowser => {
    const { browser, address, lastSeenAt } = session(id);
    return {
      id,
      browser,
      address,
      lastSeenAt,
      trustedSince: '2026-10-02T08:00:00Z',
      signedIn: false,
      current: false,
      ...changes,
    };
  };
  const servesTrusted = (...browsers: TrustedBrowser[]) =>
    server.use(http.get('/api/auth/trusted-browsers', () => HttpResponse.json(browsers)));

  test('a session says that its browser is trusted, and the trust ends without the session', async () => {
    serves(session('a', { current: true, trustedSince: '2026-10-02T08:00:00Z' }), session('b'));
    servesTrusted(trusted('a', { signedIn: true }));
    const ended = vi.fn();
    server.use(
      http.delete('/api/auth/trusted-browsers/:id', ({ params }) => {
        ended(params.id);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await renderApp('/settings');
    const sessions = await section('Sessions');
    const [here, other] = await sessions.findAllByRole('listitem');
    expect(here).toHaveTextContent(
      /Trusted since Oct 2, 2026: you can set a new password there without a code\./,
    );
    expect(other).not.toHaveTextContent('Trusted since');
    expect(sessions.queryByRole('heading', { name: 'Trusted, but logged out' })).toBeNull();
    await user.click(
      sessions.getByRole('button', { name: 'Stop trusting Chrome on Windows, last seen 3 hours ago' }),
    );
    expect(await screen.findByText('Browser no longer trusted')).toBeVisible();
    expect(ended).toHaveBeenCalledExactlyOnceWith('a');
    expect(sessions.getAllByRole('listitem')).toHaveLength(2);
    expect(sessions.queryByText(/Trusted since/)).toBeNull();
    expect(sessions.getByRole('heading', { name: 'Sessions' })).toHaveFocus();
  });

  test('a trusted browser that is signed out is listed and removed', async () => {
    serves(session('a', { current: true }));
    servesTrusted(trusted('b', { browser: 'curl/8' }));
    server.use(http.delete('/api/auth/trusted-browsers/b', () => new HttpResponse(null, { status: 204 })));
    const { user } = await renderApp('/settings');
    const sessions = await section('Sessions');
    const list = await sessions.findByRole('list', { name: 'Trusted, but logged out' });
    expect(list).toHaveTextContent('Unknown browser');
    expect(list).toHaveTextContent('203.0.113.7 · Last seen 3 hours ago');
    await user.click(within(list).getByRole('button', { name: /^Stop trusting Unknown browser/ }));
    expect(await screen.findByText('Browser no longer trusted')).toBeVisible();
    expect(sessions.queryByRole('list', { name: 'Trusted, but logged out' })).toBeNull();
  });

  test('a refused end of trust is said, and the lists are read again', async () => {
    serves(session('a', { current: true }));
    servesTrusted(trusted('b'));
    server.use(
      http.delete('/api/auth/trusted-browsers/b', () => {
        servesTrusted();
        return problem(404, { error: 'Trusted browser not found' });
      }),
    );
    const { user } = await renderApp('/settings');
    const sessions = await section('Sessions');
    await user.click(await sessions.findByRole('button', { name: /^Stop trusting/ }));
    expect(await screen.findByText('Trusted browser not found')).toBeVisible();
    await waitFor(() => expect(sessions.queryByRole('button', { name: /^Stop trusting/ })).toBeNull());
  });

  test('a security notice leads to the sessions', async () => {
    serves(session('a', { current: true }));
    await renderApp('/settings#security');
    const sessions = await section('Sessions');
    expect(sessions.getByRole('heading', { name: 'Sessions' })).toHaveFocus();
  });

  test('the gear above the notifications leads to their kinds', async () => {
    serves(session('a', { current: true }));
    await renderApp('/settings#notifications');
    const notifications = await section('Notifications');
    expect(notifications.getByRole('heading', { name: 'Notifications' })).toHaveFocus();
  });

  test('show browser, address and last use', async () => {
    serves(session('a', { current: true }), session('b', { browser: 'curl/8', address: '2001:db8::1' }));
    await renderApp('/settings');
    const sessions = await section('Sessions');
    const [here, other] = await sessions.findAllByRole('listitem');
    expect(here).toHaveTextContent('Chrome on WindowsThis browser203.0.113.7 · Last seen 3 hours ago');
    expect(within(here as HTMLElement).queryByRole('button')).toBeNull();
    expect(other).toHaveTextContent('Unknown browser2001:db8::1 · Last seen 3 hours ago');
  });

  test('one is ended, and the focus moves to the remaining ones', async () => {
    serves(session('a', { current: true }), session('b'));
    server.use(
      http.delete('/api/auth/sessions/:id', ({ params }) => {
        sent.push(['delete', params.id]);
        return silence();
      }),
    );
    const { user } = await renderApp('/settings');
    const sessions = await section('Sessions');
    await user.click(
      await sessions.findByRole('button', { name: 'End Chrome on Windows, last seen 3 hours ago' }),
    );
    expect(await screen.findByText('Session ended')).toBeVisible();
    expect(sent).toEqual([['delete', 'b']]);
    expect(sessions.getAllByRole('listitem')).toHaveLength(1);
    expect(sessions.getByRole('heading', { name: 'Sessions' })).toHaveFocus();
  });

  test('one that has ended already: the list is refetched', async () => {
    serves(session('b'));
    server.use(
      http.delete('/api/auth/sessions/:id', () => {
        serves(session('a', { current: true }));
        return problem(404, { error: 'There is no such session' });
      }),
    );
    const { user } = await renderApp('/settings');
    const sessions = await section('Sessions');
    await user.click(await sessions.findByRole('button', { name: /^End / }));
    expect(await screen.findByText('There is no such session')).toBeVisible();
    expect(await sessions.findByText('This browser')).toBeVisible();
    expect(sessions.getAllByRole('listitem')).toHaveLength(1);
  });

  test('signing out everywhere leads home as a visitor', async () => {
    server.use(http.delete('/api/auth/sessions', silence));
    const { user, path } = await renderApp('/settings');
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    await waitFor(() => expect(path()).toBe('/'));
    expect(await screen.findByText('Your Legal Career Starts Here')).toBeVisible();
    expect(screen.getByText('Signed out everywhere')).toBeVisible();
  });

  test('a failed sign-out everywhere changes nothing', async () => {
    server.use(http.delete('/api/auth/sessions', () => HttpResponse.error()));
    const { user, path } = await renderApp('/settings');
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    expect(await screen.findByText('The session could not be ended')).toBeVisible();
    expect(path()).toBe('/settings');
  });

  test('a long list is collapsed', async () => {
    serves(...[...'abcdefg'].map((id) => session(id)));
    const { user } = await renderApp('/settings');
    const sessions = await section('Sessions');
    expect(await sessions.findAllByRole('listitem')).toHaveLength(5);
    await user.click(sessions.getByRole('button', { name: 'Show all (7)' }));
    expect(sessions.getAllByRole('listitem')).toHaveLength(7);
  });

  test('a failed list can be retried', async () => {
    server.use(http.get('/api/auth/sessions', () => problem(503, { error: 'Away' })));
    const { user } = await renderApp('/settings');
    const sessions = await section('Sessions');
    expect(await sessions.findByText('Sessions could not be loaded.')).toBeVisible();
    serves(session('a', { current: true }));
    await user.click(sessions.getByRole('button', { name: 'Try Again' }));
    expect(await sessions.findByText('This browser')).toBeVisible();
  });
});

describe('recovery codes', () => {
  const path = '/api/auth/recovery-codes';
  const codes = [...'ABCDEFGH'].map((letter) => `${letter}000-1111-2222-3333`);
  const made = () => HttpResponse.json({ codes }, { status: 201 });
  const left = (remaining: number, madeAt: string | null) =>
    server.use(http.get(path, () => HttpResponse.json({ remaining, madeAt })));

  test('show the number of unused ones', async () => {
    left(5, '2026-11-01T08:00:00Z');
    await renderApp('/settings');
    const recovery = await section('Recovery codes');
    expect(await recovery.findByText('5 of 8 codes left.')).toBeVisible();
    expect(recovery.getByText('Created on November 1, 2026.')).toBeVisible();
  });

  test('are created, shown once, copied and downloaded', async () => {
    left(0, null);
    posts(path, made);
    const { user } = await renderApp('/settings');
    const recovery = await section('Recovery codes');
    expect(await recovery.findByText('You have no recovery codes yet.')).toBeVisible();
    await user.click(recovery.getByRole('button', { name: 'Create recovery codes' }));
    const list = await recovery.findByRole('list', { name: 'Your recovery codes' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(codes);
    expect(sent).toEqual([[path, {}]]);
    expect(recovery.getByText('8 of 8 codes left.')).toBeVisible();

    await user.click(recovery.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Codes copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(codes.join('\n'));

    let saved: Blob | undefined;
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved = blob as Blob;
      return 'blob:codes';
    });
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await user.click(recovery.getByRole('button', { name: 'Download (.txt)' }));
    expect(click.mock.contexts[0]).toMatchObject({ download: 'portia-recovery-codes-isabel.txt' });
    const text = await saved?.text();
    expect(text).toContain('Portia recovery codes of isabel');
    for (const code of codes) expect(text).toContain(code);

    await user.click(recovery.getByRole('button', { name: 'Done' }));
    expect(recovery.queryByText(codes[0] as string)).toBeNull();
    expect(recovery.getByRole('button', { name: 'Create new codes' })).toBeEnabled();
  });

  test('stay unchanged with the reason if new ones cannot be created', async () => {
    posts(path, () => problem(429, { error: 'Too many attempts' }));
    const { user } = await renderApp('/settings');
    const recovery = await section('Recovery codes');
    await user.click(await recovery.findByRole('button', { name: 'Create new codes' }));
    expect(await screen.findByText('Too many attempts')).toBeVisible();
    expect(recovery.getByText('8 of 8 codes left.')).toBeVisible();
    expect(recovery.getByRole('button', { name: 'Create new codes' })).toBeEnabled();
  });

  test('a browser without a clipboard shows a notice', async () => {
    posts(path, made);
    const { user } = await renderApp('/settings');
    const recovery = await section('Recovery codes');
    await user.click(await recovery.findByRole('button', { name: 'Create new codes' }));
    await recovery.findByText(codes[0] as string);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
    await user.click(recovery.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Not copied')).toBeVisible();
  });
});

describe('appearance', () => {
  test('theme and language change at once', async () => {
    const { user } = await renderApp('/settings');
    const appearance = await section('Appearance');
    await user.click(appearance.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement).toHaveClass('dark');
    await user.click(appearance.getByRole('radio', { name: 'Light' }));
    expect(document.documentElement).not.toHaveClass('dark');
    await user.click(appearance.getByRole('radio', { name: 'Filipino' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Mga Setting' })).toBeVisible();
    expect(i18next.language).toBe('fil');
  });
});

describe('the export', () => {
  const path = '/api/auth/reauthenticate';

  test('is a plain download, after a request that can ask for a proof', async () => {
    const asked = vi.fn();
    server.use(
      http.get(path, () => {
        asked();
        return silence();
      }),
    );
    const { user } = await renderApp('/settings');
    const link = await screen.findByRole('link', { name: 'Export my data' });
    expect(link).toHaveAttribute('href', `/api/users/${isabel.id}/export`);
    expect(link).toHaveAttribute('download');
    const clicks: boolean[] = [];
    link.addEventListener('click', (event) => {
      // React has handled the click at the root: a prevented one downloads nothing.
      queueMicrotask(() => clicks.push(event.defaultPrevented));
    });
    await user.click(link);
    await waitFor(() => expect(clicks).toEqual([true, false]));
    expect(asked).toHaveBeenCalledOnce();
    await user.click(link);
    await waitFor(() => expect(clicks).toEqual([true, false, true, false]));
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('is not started when the server refuses', async () => {
    server.use(http.get(path, () => problem(503, { error: 'Please try again soon' })));
    const { user } = await renderApp('/settings');
    await user.click(await screen.findByRole('link', { name: 'Export my data' }));
    expect(await screen.findByText('Please try again soon')).toBeVisible();
  });
});

describe('deleting the account', () => {
  const path = '/api/auth/close-account';

  async function open() {
    const app = await renderApp('/settings');
    const closing = await section('Delete account');
    expect(closing.getByText(/For 14 days, signing in restores everything/)).toBeVisible();
    await app.user.click(closing.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete account' }));
    return { ...app, dialog };
  }

  test('requires the username', async () => {
    const { user, dialog } = await open();
    const confirmation = dialog.getByLabelText('Type isabel to confirm');
    expect(confirmation).toHaveFocus();
    await user.type(confirmation, 'isabela');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    expect(confirmation).toHaveAccessibleDescription('This is not your username');
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('leads home as a visitor with a notice how to restore it', async () => {
    posts(path);
    const { user, dialog, path: address } = await open();
    await user.type(dialog.getByLabelText('Type isabel to confirm'), ' Isabel {Enter}');
    await waitFor(() => expect(address()).toBe('/'));
    expect(await screen.findByText('Account deleted')).toBeVisible();
    expect(screen.getByText('Sign in within 14 days if you change your mind.')).toBeVisible();
    expect(await screen.findByText('Your Legal Career Starts Here')).toBeVisible();
    expect(sent).toEqual([[path, { confirmation: 'Isabel' }]]);
  });

  test.each([
    [
      'the server’s sentence',
      () => problem(503, { error: 'Please try again soon' }),
      'Please try again soon',
    ],
    ['no answer', () => HttpResponse.error(), 'Failed to delete account'],
  ])('failure, %s', async (_, answer, text) => {
    posts(path, answer);
    const { user, dialog, path: address } = await open();
    await user.type(dialog.getByLabelText('Type isabel to confirm'), 'isabel{Enter}');
    expect(await screen.findByText(text)).toBeVisible();
    expect(address()).toBe('/settings');
  });
});

test('is translated to Filipino', async () => {
  await renderApp('/settings', { language: 'fil' });
  const sections = (await screen.findAllByRole('heading', { level: 2 })).map(
    ({ textContent }) => textContent,
  );
  expect(sections).toEqual([
    'Password',
    'Mga session',
    'Mga passkey',
    'Mga recovery code',
    'Authenticator app',
    'Hitsura',
    'Mga keyboard shortcut',
    'Mga abiso',
    'Mga abiso sa device na ito',
    'Feed',
    'Privacy',
    'Mga naka-block na kasapi',
    'Ang data mo',
    'Burahin ang account',
  ]);
  expect(await screen.findByText('8 sa 8 code ang natitira.')).toBeVisible();
});

describe('blocked members', () => {
  const block = (id: string, fullName: string): Block => ({
    user: { id, fullName, headline: null, avatarUrl: null },
    createdAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  });
  let blocks: Block[];
  beforeEach(() => {
    blocks = [block('b1', 'Priya Raghavan'), block('b2', 'Thea Lindqvist')];
    server.use(
      http.get('/api/blocks', ({ request }) => {
        const [first, ...rest] = blocks;
        if (new URL(request.url).searchParams.has('cursor')) return HttpResponse.json(rest);
        const headers = { Link: '</api/blocks?cursor=2>; rel="next"' };
        return HttpResponse.json(first ? [first] : [], rest.length > 0 ? { headers } : {});
      }),
    );
  });

  test('are listed page by page with the date of the block', async () => {
    const { user } = await renderApp('/settings');
    const list = await section('Blocked members');
    expect(await list.findByText('Priya Raghavan')).toBeVisible();
    expect(list.getByText('3 days ago')).toBeVisible();
    await user.click(list.getByRole('button', { name: 'Show more blocked members' }));
    expect(await list.findByText('Thea Lindqvist')).toBeVisible();
  });

  test('one is unblocked, and the focus stays in the section', async () => {
    server.use(
      http.delete('/api/blocks/:memberId', ({ params }) => {
        sent.push(['unblock', params.memberId]);
        blocks = blocks.filter((one) => one.user.id !== params.memberId);
        return silence();
      }),
    );
    const { user } = await renderApp('/settings');
    const list = await section('Blocked members');
    await user.click(await list.findByRole('button', { name: 'Unblock Priya Raghavan' }));
    expect(await screen.findByText('Member unblocked')).toBeVisible();
    expect(screen.getByText('You and Priya Raghavan can see each other again.')).toBeVisible();
    expect(await list.findByText('Thea Lindqvist')).toBeVisible();
    expect(list.queryByText('Priya Raghavan')).not.toBeInTheDocument();
    expect(list.getByRole('heading', { name: 'Blocked members' })).toHaveFocus();
    expect(sent).toEqual([['unblock', 'b1']]);
  });

  test('one that could not be unblocked stays with the reason', async () => {
    server.use(http.delete('/api/blocks/:memberId', () => problem(503, { error: 'Please try again soon' })));
    const { user } = await renderApp('/settings');
    const list = await section('Blocked members');
    await user.click(await list.findByRole('button', { name: 'Unblock Priya Raghavan' }));
    expect(await screen.findByText('Failed to unblock member: 503: Please try again soon')).toBeVisible();
    expect(await list.findByRole('button', { name: 'Unblock Priya Raghavan' })).toBeEnabled();
  });

  test('an empty list, a failed list, and Filipino', async () => {
    blocks = [];
    const { unmount } = await renderApp('/settings');
    expect(await screen.findByText('You have not blocked anyone.')).toBeVisible();
    unmount();

    server.use(http.get('/api/blocks', () => problem(503, { error: 'Please try again soon' })));
    const again = await renderApp('/settings');
    expect(await screen.findByText('Blocked members could not be loaded.')).toBeVisible();
    again.unmount();

    server.use(http.get('/api/blocks', () => HttpResponse.json([])));
    await renderApp('/settings', { language: 'fil' });
    expect(await screen.findByText('Wala kang bina-block.')).toBeVisible();
  });
});

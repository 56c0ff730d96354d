// Passkeys in the settings, on the sign-in card and in a password reset, with a fake authenticator behind the browser's API.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Passkey } from '@/api/schema.gen';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';
import { hasPasskeys } from './support';

const phone: Passkey = {
  id: '019a0000-0000-7000-8000-000000000001',
  name: 'Phone',
  createdAt: '2026-11-01T08:00:00Z',
  lastUsedAt: null,
  backedUp: true,
};

const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const denied = () => Object.assign(new Error('denied'), { name: 'NotAllowedError' });
const create = vi.fn();
const get = vi.fn();
let sent: [string, unknown][];

/** Returns a credential as a browser returns it from its dialog. */
function credential(response: object) {
  return {
    id: 'AQID',
    rawId: new Uint8Array([1, 2, 3]).buffer,
    type: 'public-key',
    response,
    getClientExtensionResults: () => ({}),
  };
}

const created = () => credential({ clientDataJSON: bytes('{}'), attestationObject: bytes('a') });
const used = () =>
  credential({
    clientDataJSON: bytes('{}'),
    authenticatorData: bytes('a'),
    signature: bytes('s'),
    userHandle: bytes('u'),
  });

const assertion = {
  ceremony: 'c',
  credential: {
    id: 'AQID',
    rawId: 'AQID',
    type: 'public-key',
    response: { clientDataJSON: 'e30', authenticatorData: 'YQ', signature: 'cw', userHandle: 'dQ' },
  },
};

beforeEach(() => {
  sent = [];
  create.mockReset().mockImplementation(async () => created());
  get.mockReset().mockImplementation(async () => used());
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'credentials', { value: { create, get }, configurable: true });
  const options = {
    challenge: 'AAAA',
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
  };
  server.use(
    http.post('/api/auth/passkeys/options', () =>
      HttpResponse.json(
        {
          ceremony: 'c',
          options: {
            challenge: 'AAAA',
            rp: { name: 'Portia' },
            user: { id: 'AAAA', name: 'i', displayName: 'i' },
            pubKeyCredParams: [],
          },
        },
        { status: 201 },
      ),
    ),
    http.post('/api/auth/passkeys/:use/options', () =>
      HttpResponse.json({ ceremony: 'c', options }, { status: 201 }),
    ),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
});

function answers(method: 'post' | 'patch' | 'delete', path: string, answer: () => Response) {
  server.use(
    http[method](path, async ({ request }) => {
      sent.push([path, method === 'delete' ? null : await request.json()]);
      return answer();
    }),
  );
}

test('passkeys need a secure page with a name, and a browser that has them', () => {
  expect(hasPasskeys('portia.example')).toBe(true);
  for (const address of ['127.0.0.1', '[::1]', '192.0.2.7']) expect(hasPasskeys(address)).toBe(false);
  vi.stubGlobal('isSecureContext', false);
  expect(hasPasskeys('portia.example')).toBe(false);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PublicKeyCredential', undefined);
  expect(hasPasskeys('portia.example')).toBe(false);
});

describe('settings', () => {
  const section = async () => within(await screen.findByRole('region', { name: 'Passkeys' }));
  const open = async (passkeys: Passkey[]) => {
    signedInAs(isabel);
    server.use(http.get('/api/auth/passkeys', () => HttpResponse.json(passkeys)));
    const { user } = await renderApp('/settings');
    return { user, shown: await section() };
  };

  test('adds a passkey with a name', async () => {
    answers('post', '/api/auth/passkeys', () => HttpResponse.json(phone, { status: 201 }));
    const { user, shown } = await open([]);
    expect(await shown.findByText('You have no passkeys yet.')).toBeVisible();
    await user.click(shown.getByRole('button', { name: 'Add a passkey' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    expect(dialog.getByText('Name this passkey.')).toBeVisible();
    await user.type(dialog.getByLabelText('Name'), ' Phone {Enter}');
    expect(await shown.findByText('Phone')).toBeVisible();
    expect(await screen.findByText('Passkey added')).toBeVisible();
    expect(shown.getByText(/Created on November 1, 2026 · Never used/)).toBeVisible();
    const credential = {
      id: 'AQID',
      rawId: 'AQID',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'YQ' },
    };
    expect(sent).toEqual([['/api/auth/passkeys', { name: 'Phone', ceremony: 'c', credential }]]);
  });

  test('a cancelled dialog of the browser says nothing and sends nothing', async () => {
    create.mockRejectedValue(denied());
    const { user, shown } = await open([]);
    await user.click(await shown.findByRole('button', { name: 'Add a passkey' }));
    await user.type(await screen.findByLabelText('Name'), 'Phone{Enter}');
    await waitFor(() => expect(create).toHaveBeenCalled());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Continue' })).toBeEnabled());
    expect(screen.queryByText('Error')).toBeNull();
    expect(sent).toEqual([]);
  });

  test('a device that has one already is named', async () => {
    create.mockRejectedValue(Object.assign(new Error('excluded'), { name: 'InvalidStateError' }));
    const { user, shown } = await open([]);
    await user.click(await shown.findByRole('button', { name: 'Add a passkey' }));
    await user.type(await screen.findByLabelText('Name'), 'Phone{Enter}');
    expect(await screen.findByText('This device already has a passkey for your account.')).toBeVisible();
  });

  test('renames and removes a passkey', async () => {
    const path = '/api/auth/passkeys/:id';
    answers('patch', path, () => HttpResponse.json({ ...phone, name: 'Laptop' }));
    answers('delete', path, () => new HttpResponse(null, { status: 204 }));
    const { user, shown } = await open([phone]);
    await user.click(await shown.findByRole('button', { name: 'Rename Phone' }));
    const name = await screen.findByLabelText('Name');
    expect(name).toHaveValue('Phone');
    await user.clear(name);
    await user.type(name, 'Laptop{Enter}');
    expect(await shown.findByText('Laptop')).toBeVisible();
    await user.click(shown.getByRole('button', { name: 'Remove Laptop' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove Laptop?' }));
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await shown.findByText('You have no passkeys yet.')).toBeVisible();
    expect(sent).toEqual([
      [path, { name: 'Laptop' }],
      [path, null],
    ]);
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });

  test('a refusal is shown with its sentence', async () => {
    answers('delete', '/api/auth/passkeys/:id', () => problem(404, { error: 'Passkey not found' }));
    const { user, shown } = await open([phone]);
    await user.click(await shown.findByRole('button', { name: 'Remove Phone' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Passkey not found')).toBeVisible();
  });

  test('without support there is a sentence instead of a button', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    const { shown } = await open([phone]);
    expect(await shown.findByText('This browser does not support passkeys.')).toBeVisible();
    expect(shown.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
    expect(shown.getByRole('button', { name: 'Remove Phone' })).toBeVisible();
  });

  test('twenty are enough', async () => {
    const { shown } = await open(
      Array.from({ length: 20 }, (_, n) => ({ ...phone, id: `${n}`, name: `Key ${n}` })),
    );
    expect(await shown.findByText('You have 20 passkeys. Remove one to add another.')).toBeVisible();
    expect(shown.getByRole('button', { name: 'Add a passkey' })).toBeDisabled();
  });
});

test('is offered on the first home screen, where it can be dismissed', async () => {
  const newcomer = { ...isabel, createdAt: new Date().toISOString() };
  signedInAs(newcomer);
  server.use(http.get('/api/auth/recovery-codes', () => HttpResponse.json({ remaining: 0, madeAt: null })));
  const { user, path } = await renderApp('/');
  const card = within(await screen.findByRole('region', { name: "Don't get locked out of your account" }));
  await user.click(card.getByRole('link', { name: 'Add a passkey' }));
  await waitFor(() => expect(path()).toMatch(/^\/settings/));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Passkeys' })).toHaveFocus());
});

describe('sign-in', () => {
  const path = '/api/auth/passkeys/sign-in';

  test('a passkey signs in without a username', async () => {
    answers('post', path, () => {
      signedInAs(isabel);
      return HttpResponse.json(isabel);
    });
    const app = await renderApp('/auth');
    await app.user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await waitFor(() => expect(app.path()).toBe('/'));
    expect(sent).toEqual([[path, assertion]]);
  });

  test('sends the shared computer flag', async () => {
    answers('post', path, () => HttpResponse.json(isabel));
    const { user } = await renderApp('/auth');
    await user.click(await screen.findByLabelText('This is a shared computer'));
    await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
    await waitFor(() => expect(sent).toEqual([[path, { ...assertion, sharedComputer: true }]]));
  });

  test('a refused passkey has the toast of a refused login', async () => {
    answers('post', path, () =>
      problem(401, { error: 'Invalid username or password', code: 'BAD_CREDENTIALS' }),
    );
    const { user } = await renderApp('/auth');
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    expect(await screen.findByText('Login failed')).toBeVisible();
    expect(screen.getByText('Invalid username or password')).toBeVisible();
  });

  test('a cancelled dialog says nothing', async () => {
    get.mockRejectedValue(denied());
    const { user } = await renderApp('/auth');
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await waitFor(() => expect(get).toHaveBeenCalled());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Sign in with a passkey' })).toBeEnabled());
    expect(screen.queryByText('Login failed')).toBeNull();
  });

  test('is not offered without support', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    await renderApp('/auth');
    await screen.findByLabelText('Username');
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  });
});

describe('reset', () => {
  const path = '/api/auth/reset-password';
  const open = async (...methods: string[]) => {
    server.use(http.post('/api/auth/check-username', () => HttpResponse.json({ methods })));
    const app = await renderApp('/forgot-password');
    await app.user.type(await screen.findByLabelText('Username'), 'isabel{Enter}');
    await screen.findByLabelText('New Password');
    return app;
  };
  const fill = async (user: Awaited<ReturnType<typeof open>>['user']) => {
    await user.type(screen.getByLabelText('New Password', { exact: true }), 'secret2');
    await user.type(screen.getByLabelText('Confirm Password', { exact: true }), 'secret2{Enter}');
  };

  test('a passkey is the proof', async () => {
    answers('post', path, () => new HttpResponse(null, { status: 204 }));
    const { user } = await open('passkey', 'recovery-code', 'operator-link');
    await user.click(screen.getByRole('button', { name: 'Use a passkey instead' }));
    expect(screen.queryByLabelText('Recovery Code')).toBeNull();
    await fill(user);
    expect(await screen.findByText('Password Reset')).toBeVisible();
    expect(sent).toEqual([[path, { username: 'isabel', password: 'secret2', passkey: assertion }]]);
  });

  test('a recovery code is asked for first, also after a look at the passkeys', async () => {
    answers('post', path, () => new HttpResponse(null, { status: 204 }));
    const { user } = await open('passkey', 'recovery-code', 'operator-link');
    expect(screen.getByLabelText('Recovery Code')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Use a passkey instead' }));
    await user.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
    await user.type(await screen.findByLabelText('Recovery Code'), 'AAAA');
    await fill(user);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.[1]).toEqual({ username: 'isabel', password: 'secret2', recoveryCode: 'AAAA' });
    expect(get).not.toHaveBeenCalled();
  });

  test('a trusted browser needs none', async () => {
    answers('post', path, () => new HttpResponse(null, { status: 204 }));
    const { user } = await open('trusted-browser', 'passkey', 'operator-link');
    await fill(user);
    await waitFor(() => expect(sent).toEqual([[path, { username: 'isabel', password: 'secret2' }]]));
  });
});

describe('a proof in a session', () => {
  const path = '/api/auth/reauthenticate';
  const open = async (passkeys: Passkey[]) => {
    let isProven = false;
    signedInAs(isabel);
    server.use(
      http.get('/api/auth/passkeys', () => HttpResponse.json(passkeys)),
      http.post('/api/auth/recovery-codes', () =>
        isProven
          ? HttpResponse.json({ codes: ['AAAA-BBBB'] }, { status: 201 })
          : problem(403, { error: 'Please confirm that it is you to continue.', code: 'STEP_UP_REQUIRED' }),
      ),
    );
    answers('post', path, () => {
      isProven = true;
      return new HttpResponse(null, { status: 204 });
    });
    const { user } = await renderApp('/settings');
    await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
    return { user, form: within(await screen.findByRole('dialog', { name: 'Confirm that it is you' })) };
  };

  test('a passkey is one, and the action goes on', async () => {
    const { user, form } = await open([phone]);
    await user.click(await form.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByText('AAAA-BBBB')).toBeVisible();
    expect(sent).toEqual([[path, { passkey: assertion }]]);
  });

  test('a closed dialog of the browser is no error, and a refused passkey is a toast', async () => {
    const { user, form } = await open([phone]);
    get.mockRejectedValueOnce(denied());
    const button = await form.findByRole('button', { name: 'Use a passkey' });
    await user.click(button);
    await waitFor(() => expect(button).toBeEnabled());
    expect(sent).toEqual([]);
    answers('post', path, () =>
      problem(403, { error: 'This passkey cannot be used for this account.', code: 'PASSKEY_WRONG' }),
    );
    await user.click(button);
    expect(await screen.findByText('This passkey cannot be used for this account.')).toBeVisible();
    expect(form.getByLabelText('Password')).toBeInTheDocument();
  });

  test('is not offered without a passkey', async () => {
    const { form } = await open([]);
    expect(form.getByLabelText('Password')).toBeInTheDocument();
    expect(form.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  });
});

// Settings, Authenticator app: set up by a code, refused codes, removal, and the texts in both languages.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const silence = () => new HttpResponse(null, { status: 204 });
const section = async (name = 'Authenticator app') => within(await screen.findByRole('region', { name }));
const isSetUp = (confirmedAt: string | null) =>
  server.use(http.get('/api/auth/totp', () => HttpResponse.json({ confirmedAt })));

let confirmed: unknown[];

function confirms(answer: () => Response) {
  server.use(
    http.post('/api/auth/totp/confirm', async ({ request }) => {
      confirmed.push(await request.json());
      return answer();
    }),
  );
}

beforeEach(() => {
  confirmed = [];
  signedInAs(isabel);
  server.use(
    http.post('/api/auth/totp', () =>
      HttpResponse.json(
        { secret, uri: `otpauth://totp/Portia:isabel?secret=${secret}&issuer=Portia` },
        { status: 201 },
      ),
    ),
  );
  confirms(silence);
});

async function open() {
  const app = await renderApp('/settings');
  const totp = await section();
  await app.user.click(await totp.findByRole('button', { name: 'Set up authenticator app' }));
  return {
    ...app,
    totp,
    dialog: within(await screen.findByRole('dialog', { name: 'Set up authenticator app' })),
  };
}

test('the secret is shown as a code and as text, and a code of the app confirms it', async () => {
  const { user, totp, dialog } = await open();
  expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  expect(dialog.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.type(dialog.getByLabelText('Code from the app'), '123456{Enter}');
  expect(await screen.findByText('Authenticator app set up')).toBeVisible();
  expect(confirmed).toEqual([{ oneTimeCode: '123456' }]);
  expect(totp.getByText(/^Set up on /)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(totp.getByRole('heading', { name: 'Authenticator app' })).toHaveFocus();
  expect(screen.queryByText(/GEZD/)).toBeNull();
});

const fresh = [...'ABCDEFGH'].map((letter) => `${letter}000-1111-2222-3333-4444-5555`);

/** No codes are left; `made` counts the sets that are created. */
function withoutCodes(madeAt: string | null = null) {
  const made: number[] = [];
  server.use(
    http.get('/api/auth/recovery-codes', () => HttpResponse.json({ remaining: 0, madeAt })),
    http.post('/api/auth/recovery-codes', () => {
      made.push(made.length);
      return HttpResponse.json({ codes: fresh }, { status: 201 });
    }),
  );
  return made;
}

test.each([
  [
    'en',
    'I have stored them',
    'Done',
    'Store your recovery codes',
    'Set up authenticator app',
    'Code from the app',
    'Authenticator app',
  ],
  [
    'fil',
    'Na-save ko na ang mga ito',
    'Tapos na',
    'I-save ang mga recovery code mo',
    'I-set up ang authenticator app',
    'Code mula sa app',
    'Authenticator app',
  ],
] as const)(
  'eight codes follow in the same dialog, which ends when they are stored: %s',
  async (language, stored, done, title, setUp, code, region) => {
    const made = withoutCodes('2026-10-01T08:00:00Z');
    const { user } = await renderApp('/settings', { language });
    await user.click(await (await section(region)).findByRole('button', { name: setUp }));
    const dialog = within(await screen.findByRole('dialog', { name: setUp }));
    await user.type(dialog.getByLabelText(code), '123456{Enter}');
    const codes = within(await screen.findByRole('dialog', { name: title }));
    expect((await codes.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual(fresh);
    expect(made).toHaveLength(1);
    expect(codes.getByRole('button', { name: done })).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(codes.getByText(fresh[0] as string)).toBeVisible();
    await user.click(codes.getByRole('checkbox', { name: stored }));
    await user.click(codes.getByRole('button', { name: done }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText(fresh[0] as string)).toBeNull();
    expect(screen.getByRole('heading', { name: region })).toHaveFocus();
    expect(made).toHaveLength(1);
  },
);

test('without codes the app is set up, and they can be created again', async () => {
  withoutCodes();
  let isBroken = true;
  server.use(
    http.post('/api/auth/recovery-codes', () =>
      isBroken
        ? problem(503, { error: 'Please try again soon' })
        : HttpResponse.json({ codes: fresh }, { status: 201 }),
    ),
  );
  const { user, dialog } = await open();
  await user.type(dialog.getByLabelText('Code from the app'), '123456{Enter}');
  const again = await screen.findByRole('button', { name: 'Create recovery codes' });
  isBroken = false;
  await user.click(again);
  expect(await screen.findByText(fresh[0] as string)).toBeVisible();
});

test('a member who does not know whether there are codes keeps them', async () => {
  const made = withoutCodes();
  const { user, dialog } = await open();
  server.use(http.get('/api/auth/recovery-codes', () => problem(503, { error: 'Please try again soon' })));
  await user.type(dialog.getByLabelText('Code from the app'), '123456{Enter}');
  expect(await screen.findByText('Authenticator app set up')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(made).toEqual([]);
});

test('a wrong code stays in the dialog', async () => {
  confirms(() =>
    problem(403, {
      error: 'This code is not valid.',
      code: 'CODE_WRONG',
      fields: { oneTimeCode: 'This code is not valid.' },
    }),
  );
  const { user, dialog } = await open();
  const code = dialog.getByLabelText('Code from the app');
  await user.type(code, '000000{Enter}');
  await waitFor(() => expect(code).toHaveAccessibleDescription(/This code is not valid\./));
  expect(code).toHaveFocus();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await section()).getByText('No authenticator app is set up.')).toBeVisible();
});

test('a secret that cannot be created is said', async () => {
  server.use(
    http.post('/api/auth/totp', () => problem(409, { error: 'An authenticator app is set up already.' })),
  );
  const { user } = await renderApp('/settings');
  await user.click(await (await section()).findByRole('button', { name: 'Set up authenticator app' }));
  expect(await screen.findByText('An authenticator app is set up already.')).toBeVisible();
});

test('it is removed after a confirmation', async () => {
  isSetUp('2026-11-01T08:00:00Z');
  const removals: string[] = [];
  server.use(
    http.delete('/api/auth/totp', ({ request }) => {
      removals.push(new URL(request.url).pathname);
      return silence();
    }),
  );
  const { user } = await renderApp('/settings');
  const totp = await section();
  expect(await totp.findByText('Set up on November 1, 2026.')).toBeVisible();
  await user.click(totp.getByRole('button', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove authenticator app' }));
  expect(removals).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Authenticator app removed')).toBeVisible();
  expect(removals).toEqual(['/api/auth/totp']);
  expect(totp.getByRole('button', { name: 'Set up authenticator app' })).toBeVisible();
});

test('a member without recovery codes is told to create some', async () => {
  isSetUp('2026-11-01T08:00:00Z');
  server.use(http.get('/api/auth/recovery-codes', () => HttpResponse.json({ remaining: 0, madeAt: null })));
  await renderApp('/settings');
  expect(await (await section()).findByText(/^You have no recovery codes left\./)).toBeVisible();
});

test('a failed read is shown, and repeated', async () => {
  server.use(http.get('/api/auth/totp', () => problem(503, { error: 'Please try again soon' })));
  const { user } = await renderApp('/settings');
  const totp = await section();
  expect(await totp.findByText('The authenticator app could not be loaded.')).toBeVisible();
  isSetUp(null);
  await user.click(totp.getByRole('button', { name: 'Try Again' }));
  expect(await totp.findByText('No authenticator app is set up.')).toBeVisible();
});

test('is translated to Filipino', async () => {
  const { user } = await renderApp('/settings', { language: 'fil' });
  const totp = await section();
  await user.click(await totp.findByRole('button', { name: 'I-set up ang authenticator app' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'I-set up ang authenticator app' }));
  expect(dialog.getByLabelText('Code mula sa app')).toBeVisible();
});

// A request that needs a recent proof: the dialog asks for the password or a code, then the request is repeated once.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const sentence = 'Please confirm that it is you to continue.';
const codes = [...'ABCDEFGH'].map((letter) => `${letter}000-1111-2222-3333`);

let isProven: boolean;
let proofs: unknown[];
let codesAsked: number;

const required = () => problem(403, { error: sentence, code: 'STEP_UP_REQUIRED' });
const silence = () => new HttpResponse(null, { status: 204 });

beforeEach(() => {
  isProven = false;
  proofs = [];
  codesAsked = 0;
  signedInAs(isabel);
  server.use(
    http.post('/api/auth/recovery-codes', () => {
      codesAsked += 1;
      return isProven ? HttpResponse.json({ codes }, { status: 201 }) : required();
    }),
    http.post('/api/auth/close-account', () => (isProven ? silence() : required())),
    http.delete('/api/auth/sessions', () => (isProven ? silence() : required())),
    http.get('/api/auth/reauthenticate', () => (isProven ? silence() : required())),
  );
  proves(() => {
    isProven = true;
    return silence();
  });
});

function proves(answer: () => Response) {
  server.use(
    http.post('/api/auth/reauthenticate', async ({ request }) => {
      proofs.push(await request.json());
      return answer();
    }),
  );
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
/** Types into the field of the password and continues. */
async function prove(user: Awaited<ReturnType<typeof renderApp>>['user'], password = 'secret1') {
  const form = await dialog();
  await user.type(form.getByLabelText('Password'), password);
  await user.click(form.getByRole('button', { name: 'Continue' }));
}

const isClosed = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull());

test('the password is asked for, and the action goes on', async () => {
  const { user } = await renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
  const form = await dialog();
  const password = form.getByLabelText('Password');
  await waitFor(() => expect(password).toHaveFocus());
  await prove(user);
  expect(await screen.findByText(codes[0] as string)).toBeVisible();
  await isClosed();
  expect(proofs).toEqual([{ password: 'secret1' }]);
  expect(codesAsked).toBe(2);
  expect(screen.queryByText(sentence)).toBeNull();
});

test('a code is a proof too', async () => {
  const { user } = await renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
  const form = await dialog();
  await user.click(form.getByRole('button', { name: 'Use a code instead' }));
  const code = form.getByLabelText('Code');
  expect(code).toHaveFocus();
  expect(code).toHaveAccessibleDescription('Six digits from your authenticator app, or a recovery code.');
  await user.type(code, '123456');
  await user.click(form.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText(codes[0] as string)).toBeVisible();
  expect(proofs).toEqual([{ oneTimeCode: '123456' }]);
});

test('a wrong password stays in the dialog with its error', async () => {
  proves(() =>
    problem(403, {
      error: 'This is not your password.',
      code: 'PASSWORD_WRONG',
      fields: { password: 'This is not your password.' },
    }),
  );
  const { user } = await renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
  const form = await dialog();
  await prove(user, 'secret2');
  await waitFor(() =>
    expect(form.getByLabelText('Password')).toHaveAccessibleDescription('This is not your password.'),
  );
  expect(form.getByLabelText('Password')).toHaveFocus();
  expect(codesAsked).toBe(1);
  await user.click(form.getByRole('button', { name: 'Use a code instead' }));
  expect(form.getByLabelText('Code')).toBeValid();
});

test('a refusal that is not about the proof is a toast', async () => {
  proves(() => problem(429, { error: 'Too many attempts' }));
  const { user } = await renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
  await prove(user);
  expect(await screen.findByText('Too many attempts')).toBeVisible();
  expect((await dialog()).getByLabelText('Password')).toHaveValue('secret1');
});

test('cancelling leaves everything as it was, without an error, and the next action asks again', async () => {
  const { user } = await renderApp('/settings');
  const button = await screen.findByRole('button', { name: 'Create new codes' });
  await user.click(button);
  await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
  await isClosed();
  await waitFor(() => expect(button).toBeEnabled());
  expect(screen.queryByText(sentence)).toBeNull();
  expect(codesAsked).toBe(1);
  await user.click(button);
  await prove(user);
  expect(await screen.findByText(codes[0] as string)).toBeVisible();
});

test('over the dialog that deletes the account, which keeps its input', async () => {
  const { user, path } = await renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Delete account' }));
  await user.type(await screen.findByLabelText('Type isabel to confirm'), 'isabel{Enter}');
  await dialog();
  await user.keyboard('{Escape}');
  await isClosed();
  expect(screen.getByLabelText('Type isabel to confirm')).toHaveValue('isabel');
  await user.click(
    within(screen.getByRole('dialog', { name: 'Delete account' })).getByRole('button', {
      name: 'Delete account',
    }),
  );
  await prove(user);
  await waitFor(() => expect(path()).toBe('/'));
  expect(await screen.findByText('Account deleted')).toBeVisible();
});

test('signing out everywhere and the export ask too', async () => {
  const { user, path } = await renderApp('/settings');
  await user.click(await screen.findByRole('link', { name: 'Export my data' }));
  await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
  await isClosed();
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  await prove(user);
  await waitFor(() => expect(path()).toBe('/'));
});

test('a change of credentials of an account with an app asks for a code, not for the password', async () => {
  server.use(
    http.post('/api/auth/recovery-codes', () =>
      isProven
        ? HttpResponse.json({ codes }, { status: 201 })
        : problem(403, {
            error: sentence,
            code: 'STEP_UP_REQUIRED',
            fields: { oneTimeCode: 'Use a code of your authenticator app, a recovery code or a passkey.' },
          }),
    ),
  );
  const { user } = await renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
  const form = await dialog();
  await waitFor(() => expect(form.getByLabelText('Code')).toHaveFocus());
  expect(form.getAllByText(/the password alone is not enough/)[0]).toBeInTheDocument();
  expect(form.queryByLabelText('Password')).toBeNull();
  expect(form.queryByRole('button', { name: 'Use the password instead' })).toBeNull();
  expect(form.getByText(/Ask the operators of Portia/)).toBeVisible();
  await user.type(form.getByLabelText('Code'), '123456');
  await user.click(form.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText(codes[0] as string)).toBeVisible();
  expect(proofs).toEqual([{ oneTimeCode: '123456' }]);
  // The next one may again be about another action.
  isProven = false;
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  expect((await dialog()).getByLabelText('Password')).toBeInTheDocument();
});

test('is translated to Filipino', async () => {
  const { user } = await renderApp('/settings', { language: 'fil' });
  await user.click(await screen.findByRole('button', { name: 'Gumawa ng mga bagong code' }));
  const form = within(await screen.findByRole('dialog', { name: 'Kumpirmahin na ikaw ito' }));
  expect(form.getByRole('button', { name: 'Gumamit na lang ng code' })).toBeVisible();
});

test('an app that was set up meanwhile makes the dialog ask for a code', async () => {
  proves(() => {
    if (proofs.length > 1) {
      isProven = true;
      return silence();
    }
    const fields = { oneTimeCode: 'Use a code of your authenticator app, a recovery code or a passkey.' };
    return problem(403, { error: sentence, code: 'STEP_UP_REQUIRED', fields });
  });
  const { user } = await renderApp('/settings');
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
  await prove(user);
  const code = await (await dialog()).findByLabelText('Code');
  expect((await dialog()).queryByLabelText('Password')).toBeNull();
  await user.type(code, '123456');
  await user.click((await dialog()).getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText(codes[0] as string)).toBeVisible();
  expect(proofs).toEqual([{ password: 'secret1' }, { oneTimeCode: '123456' }]);
});

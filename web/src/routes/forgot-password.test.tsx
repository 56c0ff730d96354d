// /forgot-password: both steps, every text of the specification, the three proofs, and the requests.
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

let asked: unknown[];
let sent: unknown[];

beforeEach(() => {
  asked = [];
  sent = [];
});
afterEach(() => vi.useRealTimers());

const silence = () => new HttpResponse(null, { status: 204 });

function proofs(...methods: string[]) {
  checks(() => HttpResponse.json({ methods }));
}

function checks(answer: () => Response) {
  server.use(
    http.post('/api/auth/check-username', async ({ request }) => {
      asked.push(await request.json());
      return answer();
    }),
  );
}

function resets(answer: () => Response = silence) {
  server.use(
    http.post('/api/auth/reset-password', async ({ request }) => {
      sent.push(await request.json());
      return answer();
    }),
  );
}

const field = (label: string) => screen.getByLabelText(label, { exact: true });
const press = (name: string) => screen.getByRole('button', { name });

async function openStepTwo(username = 'isabel') {
  const app = await renderApp('/forgot-password');
  await app.user.type(await screen.findByLabelText('Username'), username);
  await app.user.click(press('Continue'));
  await screen.findByLabelText('New Password');
  return app;
}

async function typeTwice(user: Awaited<ReturnType<typeof renderApp>>['user'], password: string) {
  await user.type(field('New Password'), password);
  await user.type(field('Confirm Password'), password);
}

describe('step 1', () => {
  test.each(['', '   '])('a username of "%s" is required', async (typed) => {
    const { user } = await renderApp('/forgot-password');
    const username = await screen.findByLabelText('Username');
    if (typed) await user.type(username, typed);
    await user.click(press('Continue'));
    expect(await screen.findByText('Username Required')).toBeVisible();
    expect(username).toHaveAccessibleDescription('Enter your username');
    expect(asked).toEqual([]);
  });

  test('sends only the trimmed username', async () => {
    proofs('trusted-browser', 'operator-link');
    await openStepTwo(' isabel ');
    expect(asked).toEqual([{ username: 'isabel' }]);
    expect(screen.getByText('Choose a new password for isabel.')).toBeVisible();
    expect(field('New Password')).toHaveFocus();
  });

  test.each([
    ['the server’s sentence', () => problem(429, { error: 'Too many attempts' }), 'Too many attempts'],
    ['an unknown name', () => problem(404, { error: 'User not found' }), 'User not found'],
    ['no sentence', () => HttpResponse.json({}, { status: 500 }), 'User not found'],
    ['no answer', () => HttpResponse.error(), 'User not found'],
  ])('failure, %s', async (_, answer, text) => {
    checks(answer);
    const { user } = await renderApp('/forgot-password');
    await user.type(await screen.findByLabelText('Username'), 'unknown');
    await user.keyboard('{Enter}');
    expect(await screen.findByText(text)).toBeVisible();
    expect(field('Username')).toHaveValue('unknown');
    expect(press('Continue')).toBeEnabled();
  });

  test('links back to the login', async () => {
    const { user, path } = await renderApp('/forgot-password');
    await user.click(await screen.findByRole('link', { name: 'Back to Login' }));
    await waitFor(() => expect(path()).toBe('/auth'));
  });
});

describe('step 2 on a browser that has signed in before', () => {
  beforeEach(() => proofs('trusted-browser', 'recovery-code', 'operator-link'));

  test('sends only username and password, then shows success and goes to the login', async () => {
    resets();
    const { user, path } = await openStepTwo();
    expect(screen.queryByLabelText('Recovery Code')).toBeNull();
    await typeTwice(user, 'correct horse');

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.click(press('Reset Password'));
    while (!screen.queryByText(/Your password has been reset/)) await new Promise(setImmediate);
    expect(sent).toEqual([{ username: 'isabel', password: 'correct horse' }]);
    act(() => void vi.advanceTimersByTime(1_999));
    expect(path()).toBe('/forgot-password');
    act(() => void vi.advanceTimersByTime(1));
    expect(path()).toBe('/auth');
  });

  test('success shows a toast, and the browser is signed out', async () => {
    signedInAs(isabel);
    resets();
    const { user, queryClient, path } = await openStepTwo();
    await typeTwice(user, 'correct horse');
    await user.click(press('Reset Password'));
    expect(await screen.findByText('Password Reset')).toBeVisible();
    expect(screen.getByText(/Your password has been reset/)).toHaveFocus();
    expect(queryClient.getQueryData(['/api/auth/me'])).toBeNull();
    // With a session, /auth would redirect home.
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(await screen.findByLabelText('Username')).toBeVisible();
  });

  test('a short password shows an error and a toast', async () => {
    const { user } = await openStepTwo();
    await typeTwice(user, '12345');
    await user.click(press('Reset Password'));
    expect(await screen.findByText('Password Too Short')).toBeVisible();
    expect(field('New Password')).toHaveAccessibleDescription(/Password must be at least 6 characters/);
    expect(sent).toEqual([]);
  });

  test('two different passwords show an error and a toast', async () => {
    const { user } = await openStepTwo();
    await user.type(field('New Password'), 'correct horse');
    await user.type(field('Confirm Password'), 'correct house');
    await user.click(press('Reset Password'));
    expect(await screen.findByText("Passwords Don't Match")).toBeVisible();
    expect(field('Confirm Password')).toHaveAccessibleDescription('The two passwords differ');
    expect(sent).toEqual([]);
  });

  test.each([
    [
      'the server’s sentence',
      () => problem(400, { error: 'Choose another one', fields: { password: 'It is your username' } }),
      'Choose another one',
    ],
    ['no sentence', () => HttpResponse.json({}, { status: 500 }), 'Failed to reset password'],
    ['no answer', () => HttpResponse.error(), 'Failed to reset password'],
  ])('failure, %s', async (_, answer, text) => {
    resets(answer);
    const { user, path } = await openStepTwo();
    await typeTwice(user, 'correct horse');
    await user.click(press('Reset Password'));
    expect(await screen.findByText(text)).toBeVisible();
    expect(field('New Password')).toHaveValue('correct horse');
    expect(path()).toBe('/forgot-password');
  });

  test('the server’s error about the password is shown at the field', async () => {
    resets(() => problem(400, { error: 'Choose another one', fields: { password: 'It is your username' } }));
    const { user } = await openStepTwo();
    await typeTwice(user, 'isabel');
    await user.click(press('Reset Password'));
    await waitFor(() => expect(field('New Password')).toHaveAccessibleDescription(/It is your username/));
  });

  test('if the browser is no longer trusted, the code field appears', async () => {
    resets(() =>
      problem(403, { error: 'Not from here', code: 'PROOF_MISSING', fields: { recoveryCode: 'Needed' } }),
    );
    const { user } = await openStepTwo();
    await typeTwice(user, 'correct horse');
    await user.click(press('Reset Password'));
    expect(await screen.findByText('Not from here')).toBeVisible();
    const code = await screen.findByLabelText('Recovery Code');
    expect(code).toHaveAccessibleDescription(
      /^This browser is no longer trusted by this account\. .*saved\.$/,
    );
    expect(code).not.toBeInvalid();
    await user.click(press('Reset Password'));
    await waitFor(() =>
      expect(code).toHaveAccessibleDescription(/Enter a recovery code that has not been used/),
    );
    sent.pop();
    resets();
    await user.type(code, 'AAAA-BBBB-CCCC-DDDD');
    await user.click(press('Reset Password'));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({
      username: 'isabel',
      password: 'correct horse',
      recoveryCode: 'AAAA-BBBB-CCCC-DDDD',
    });
  });
});

describe('step 2 on another browser', () => {
  test('takes a recovery code and shows alternatives', async () => {
    proofs('recovery-code', 'operator-link');
    resets();
    const { user } = await openStepTwo();
    expect(field('Recovery Code')).toHaveFocus();
    expect(screen.getByText(/ask the operators of Portia for a reset link/)).toBeVisible();
    await user.type(field('Recovery Code'), ' AAAA-BBBB-CCCC-DDDD ');
    await typeTwice(user, 'correct horse');
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(sent).toEqual([
        { username: 'isabel', password: 'correct horse', recoveryCode: 'AAAA-BBBB-CCCC-DDDD' },
      ]),
    );
  });

  test('an account with an authenticator app needs its code too', async () => {
    proofs('recovery-code', 'operator-link');
    const refused = (code: string, error: string, fields = {}) => problem(401, { error, code, fields });
    resets(() => refused('SECOND_FACTOR_REQUIRED', 'Enter the code.'));
    const { user } = await openStepTwo();
    await user.type(field('Recovery Code'), 'AAAA-BBBB-CCCC-DDDD');
    await typeTwice(user, 'correct horse');
    expect(screen.queryByLabelText('Code')).toBeNull();
    await user.click(press('Reset Password'));
    const code = await screen.findByLabelText('Code');
    expect(code).toHaveFocus();
    expect(code).toHaveAccessibleDescription(/A recovery code alone is not enough/);
    await user.click(press('Reset Password'));
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Enter the code of your authenticator app/));
    const wrong = 'This code is not valid.';
    resets(() => refused('SECOND_FACTOR_WRONG', wrong, { oneTimeCode: wrong }));
    await user.type(code, '000000');
    await user.click(press('Reset Password'));
    await waitFor(() => expect(code).toHaveAccessibleDescription(/This code is not valid/));
    resets();
    await user.clear(code);
    await user.type(code, '123456');
    await user.click(press('Reset Password'));
    expect(await screen.findByText(/Your password has been reset/)).toBeVisible();
    const form = { username: 'isabel', password: 'correct horse', recoveryCode: 'AAAA-BBBB-CCCC-DDDD' };
    expect(sent).toEqual([
      form,
      form,
      { ...form, oneTimeCode: '000000' },
      { ...form, oneTimeCode: '123456' },
    ]);
  });

  test('a used code is refused, also at its field, and the input stays', async () => {
    proofs('recovery-code', 'operator-link');
    resets(() => problem(403, { error: 'This recovery code is not valid.', code: 'PROOF_REFUSED' }));
    const { user } = await openStepTwo();
    await user.type(field('Recovery Code'), 'AAAA-BBBB-CCCC-DDDD');
    await typeTwice(user, 'correct horse');
    await user.click(press('Reset Password'));
    expect(await screen.findByText('This recovery code is not valid.')).toBeVisible();
    expect(field('Recovery Code')).toHaveAccessibleDescription(
      /Enter a recovery code that has not been used/,
    );
    expect(field('Recovery Code')).toHaveValue('AAAA-BBBB-CCCC-DDDD');
    expect(field('New Password')).toHaveValue('correct horse');
  });

  test('without trust and codes the screen shows instructions, and the server refuses', async () => {
    proofs('operator-link');
    resets(() => problem(403, { error: 'This browser is not known.', code: 'PROOF_MISSING' }));
    const { user } = await openStepTwo();
    expect(screen.queryByLabelText('Recovery Code')).toBeNull();
    expect(screen.getByText(/ask the operators of Portia for a reset link/)).toBeVisible();
    await typeTwice(user, 'correct horse');
    await user.click(press('Reset Password'));
    expect(await screen.findByText('This browser is not known.')).toBeVisible();
    expect(sent).toEqual([{ username: 'isabel', password: 'correct horse' }]);
  });
});

describe('an operator’s link', () => {
  test('opens step 2, is removed from the address at once, and is sent in the body', async () => {
    resets();
    const { user, path, hash } = await renderApp('/forgot-password#token=one-time&username=isabel%2Blaw');
    expect(await screen.findByText('Choose a new password for isabel+law.')).toBeVisible();
    expect(path()).toBe('/forgot-password');
    expect(hash()).toBe('');
    expect(asked).toEqual([]);
    expect(screen.queryByLabelText('Recovery Code')).toBeNull();
    await typeTwice(user, 'correct horse');
    await user.click(press('Reset Password'));
    await waitFor(() =>
      expect(sent).toEqual([{ username: 'isabel+law', password: 'correct horse', token: 'one-time' }]),
    );
  });

  test('an expired link is refused', async () => {
    resets(() => problem(403, { error: 'This link is not valid.', code: 'PROOF_REFUSED' }));
    const { user } = await renderApp('/forgot-password#token=old&username=isabel');
    await screen.findByText('Choose a new password for isabel.');
    await typeTwice(user, 'correct horse');
    await user.click(press('Reset Password'));
    expect(await screen.findByText('This link is not valid.')).toBeVisible();
    expect(screen.queryByLabelText('Recovery Code')).toBeNull();
  });
});

test('is translated to Filipino', async () => {
  proofs('trusted-browser');
  const { user } = await renderApp('/forgot-password', { language: 'fil' });
  await user.click(await screen.findByRole('button', { name: 'Magpatuloy' }));
  expect(await screen.findByText('Kailangan ang Username')).toBeVisible();
  await user.type(field('Username'), 'isabel');
  await user.keyboard('{Enter}');
  await user.type(await screen.findByLabelText('Bagong Password'), '12345');
  await user.click(press('I-reset ang Password'));
  expect(await screen.findByText('Masyadong Maikli ang Password')).toBeVisible();
  await user.type(field('Bagong Password'), '67');
  await user.click(press('I-reset ang Password'));
  expect(await screen.findByText('Hindi Magkatugma ang mga Password')).toBeVisible();
});

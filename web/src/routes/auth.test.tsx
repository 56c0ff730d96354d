// /auth: both tabs, every validation text and toast, and the requests.
import { createHash } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findNumber } from '@/api/find-number';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

let sent: unknown;

beforeEach(() => {
  sent = undefined;
});

function answerWith(path: string, answer: () => Response) {
  server.use(
    http.post(path, async ({ request }) => {
      sent = await request.json();
      return answer();
    }),
  );
}

const field = (label: string) => screen.getByLabelText(label, { exact: true });
const submit = (name: string) => within(screen.getByRole('tabpanel')).getByRole('button', { name });

describe('login', () => {
  test('sends only the trimmed username and the password, then goes home', async () => {
    answerWith('/api/auth/login', () => {
      signedInAs(isabel);
      return HttpResponse.json(isabel);
    });
    const { user, path } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), '  isabel ');
    await user.type(field('Password'), 'secret1');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(path()).toBe('/'));
    expect(sent).toEqual({ username: 'isabel', password: 'secret1' });
    expect(await screen.findByRole('button', { name: 'Log out' })).toBeInTheDocument();
  });

  test('a deactivated account is restored with a notice', async () => {
    answerWith('/api/auth/login', () => HttpResponse.json({ ...isabel, reopened: true }));
    const { user, path, queryClient } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.click(submit('Login'));
    expect(await screen.findByText('Welcome back')).toBeVisible();
    expect(screen.getByText('Your account is restored and will not be deleted.')).toBeVisible();
    await waitFor(() => expect(path()).toBe('/'));
    expect(queryClient.getQueryData(['/api/auth/me'])).toEqual(isabel);
  });

  test('asks for a code after the password where an authenticator app is set up', async () => {
    const refused = (code: string, error: string, fields = {}) => problem(401, { error, code, fields });
    answerWith('/api/auth/login', () => refused('SECOND_FACTOR_REQUIRED', 'Enter the code.'));
    const { user, path } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    expect(screen.queryByLabelText('Code')).toBeNull();
    await user.click(submit('Login'));
    const code = await screen.findByLabelText('Code');
    expect(code).toHaveFocus();
    expect(code).toHaveAccessibleDescription('Six digits from your authenticator app, or a recovery code.');
    expect(code).toBeValid();
    expect(screen.queryByText('Login failed')).toBeNull();

    await user.click(submit('Login'));
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Enter the code of your authenticator app/));

    const wrong = 'This code is not valid.';
    answerWith('/api/auth/login', () => refused('SECOND_FACTOR_WRONG', wrong, { oneTimeCode: wrong }));
    await user.type(code, '000 000');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription(new RegExp(wrong)));
    expect(await screen.findByText('Login failed')).toBeVisible();

    answerWith('/api/auth/login', () => HttpResponse.json(isabel));
    await user.clear(code);
    await user.type(code, ' 123456{Enter}');
    await waitFor(() => expect(path()).toBe('/'));
    expect(sent).toEqual({ username: 'isabel', password: 'secret1', oneTimeCode: '123456' });
  });

  test('sends the shared computer flag only when it is checked', async () => {
    answerWith('/api/auth/login', () => HttpResponse.json(isabel));
    const { user, path } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.click(screen.getByLabelText('This is a shared computer'));
    await user.click(submit('Login'));
    await waitFor(() => expect(path()).toBe('/'));
    expect(sent).toEqual({ username: 'isabel', password: 'secret1', sharedComputer: true });
  });

  test('shows field errors only after the first submit attempt, with the toast', async () => {
    const { user } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'ir');
    await user.type(field('Password'), '12345');
    await user.tab();
    expect(screen.queryByText('Username must be at least 3 characters')).toBeNull();

    await user.click(submit('Login'));
    expect(await screen.findByText('Username must be at least 3 characters')).toBeVisible();
    expect(screen.getByText('Password must be at least 6 characters')).toBeVisible();
    expect(field('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
    expect(field('Password')).toBeInvalid();
    expect(await screen.findByText('Validation Error')).toBeVisible();
    expect(screen.getByText('Please check the form fields and try again')).toBeVisible();
    expect(sent).toBeUndefined();

    await user.type(field('Username'), 'is');
    expect(screen.queryByText('Username must be at least 3 characters')).toBeNull();
  });

  test('a blank username is too short', async () => {
    const { user } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), '     ');
    await user.type(field('Password'), 'secret1');
    await user.click(submit('Login'));
    expect(await screen.findByText('Username must be at least 3 characters')).toBeVisible();
  });

  const refusals: [string, () => Response, string][] = [
    [
      'the server sentence',
      () => problem(401, { error: 'Invalid username or password' }),
      'Invalid username or password',
    ],
    [
      'JSON without a sentence',
      () => HttpResponse.json({}, { status: 500 }),
      'Please check your credentials and try again',
    ],
    [
      'a body that cannot be read',
      () => problem(502, '<html>bad gateway</html>'),
      'Login failed - please try again',
    ],
    ['no answer at all', () => HttpResponse.error(), 'Login failed - please try again'],
  ];
  test.each(refusals)('failure, %s', async (_, answer, text) => {
    answerWith('/api/auth/login', answer);
    const { user, path } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.click(submit('Login'));
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByText('Login failed')).toBeVisible();
    expect(path()).toBe('/auth');
    expect(submit('Login')).toBeEnabled();
  });

  test.each([
    ['en', 'Username', 'Password', 'Login', 'This account is suspended'],
    ['fil', 'Username', 'Password', 'Mag-sign in', 'Suspendido ang account na ito'],
  ] as const)(
    'a suspended account shows a notice in %s',
    async (language, username, password, login, text) => {
      answerWith('/api/auth/login', () =>
        problem(403, { error: 'This account is suspended', code: 'ACCOUNT_SUSPENDED' }),
      );
      const { user, path } = await renderApp('/auth', { language });
      await user.type(await screen.findByLabelText(username), 'isabel');
      await user.type(field(password), 'secret1');
      await user.click(submit(login));
      expect(await screen.findByText(text)).toBeVisible();
      expect(path()).toBe('/auth');
    },
  );

  test.each([
    [
      'en',
      'Username',
      'Password',
      'Login',
      'Appeal',
      'Why should the suspension end?',
      'Send appeal',
      /^Another/,
    ],
    [
      'fil',
      'Username',
      'Password',
      'Mag-sign in',
      'Umapela',
      /^Bakit/,
      'Ipadala ang apela',
      /^Ibang moderator/,
    ],
  ] as const)(
    'a suspended member appeals in %s',
    async (language, username, password, login, open, label, send, sentText) => {
      answerWith('/api/auth/login', () =>
        problem(403, {
          error: 'This account is suspended',
          code: 'ACCOUNT_SUSPENDED',
          appeal: { state: 'possible', token: 'secret-token' },
        }),
      );
      const sent: unknown[] = [];
      server.use(
        http.post('/api/auth/suspension-appeal', async ({ request }) => {
          sent.push(await request.json());
          return new HttpResponse(null, { status: 204 });
        }),
      );
      const { user } = await renderApp('/auth', { language });
      await user.type(await screen.findByLabelText(username), 'isabel');
      await user.type(field(password), 'secret1');
      await user.click(submit(login));
      await user.click(await screen.findByRole('button', { name: open }));
      await user.click(screen.getByRole('button', { name: send }));
      expect(sent).toEqual([]);
      await user.type(screen.getByRole('textbox', { name: label }), 'They were my own notes.');
      await user.click(screen.getByRole('button', { name: send }));
      expect(await screen.findByText(sentText)).toHaveAttribute('role', 'status');
      expect(sent).toEqual([{ token: 'secret-token', text: 'They were my own notes.' }]);
      expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('my own notes');
    },
  );

  test.each([
    ['waiting', 'Your appeal waits for the decision of another moderator.'],
    ['upheld', 'A moderator decided on your appeal: the suspension stays.'],
    ['unavailable', 'An operator suspended this account. To appeal, write to the operators of Portia.'],
  ])('the sign-in tells a suspended member that the appeal is %s', async (state, text) => {
    answerWith('/api/auth/login', () =>
      problem(403, { error: 'This account is suspended', code: 'ACCOUNT_SUSPENDED', appeal: { state } }),
    );
    const { user } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.click(submit('Login'));
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument();
  });

  test('links to the password reset', async () => {
    const { user, path } = await renderApp('/auth');
    await user.click(await screen.findByRole('link', { name: 'Forgot password?' }));
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Back to Login' }));
    await waitFor(() => expect(path()).toBe('/auth'));
  });
});

/** A worker in this thread, with the code of the real one. */
class InlineWorker {
  onmessage: ((event: { data: number | null }) => void) | null = null;
  onerror: ((error: unknown) => void) | null = null;
  terminate = vi.fn();
  async postMessage(challenge: Parameters<typeof findNumber>[0]) {
    this.onmessage?.({ data: await findNumber(challenge) });
  }
}

/** A worker that does not start, as under another content security policy. */
class RefusedWorker extends InlineWorker {
  override async postMessage() {
    this.onerror?.(new Error('refused'));
  }
}

describe('a registration that needs a proof of work', () => {
  const salt = '00ff?expires=1800000000&';
  const hash = (number: number) => createHash('sha256').update(`${salt}${number}`).digest('hex');
  const many = 'There are many registrations from your network. Please try again in a few minutes.';
  const refusal = (number: number, maxnumber = 100) =>
    problem(429, {
      error: many,
      code: 'PROOF_OF_WORK_REQUIRED',
      challenge: { algorithm: 'SHA-256', challenge: hash(number), maxnumber, salt, signature: 'signed' },
    });
  const solved = (number: number) =>
    btoa(
      JSON.stringify({ algorithm: 'SHA-256', challenge: hash(number), number, salt, signature: 'signed' }),
    );
  let bodies: Record<string, unknown>[];

  async function register(...responses: (() => Response)[]) {
    bodies = [];
    server.use(
      http.post('/api/auth/register', async ({ request }) => {
        bodies.push((await request.json()) as Record<string, unknown>);
        const [answer] = responses.length > 1 ? responses.splice(0, 1) : responses;
        return answer?.();
      }),
    );
    const app = await renderApp('/auth?register=true');
    await app.user.type(await screen.findByLabelText('Username'), 'isabel');
    await app.user.type(field('Password'), 'a good password');
    await app.user.type(field('Full Name'), 'Isabel Reyes');
    await app.user.click(submit('Register'));
    return app;
  }

  beforeEach(() => vi.stubGlobal('Worker', InlineWorker));
  afterEach(() => vi.unstubAllGlobals());

  test('is solved and repeated by itself, with a status for everyone', async () => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    class HeldWorker extends InlineWorker {
      override async postMessage(challenge: Parameters<typeof findNumber>[0]) {
        await held;
        await super.postMessage(challenge);
      }
    }
    vi.stubGlobal('Worker', HeldWorker);
    const { path } = await register(
      () => refusal(42),
      () => HttpResponse.json(isabel, { status: 201 }),
    );
    const status = await screen.findByText(/your browser does a short check first/);
    expect(status).toHaveRole('status');
    finish();
    await waitFor(() => expect(path()).toBe('/'));
    const form = { username: 'isabel', password: 'a good password', fullName: 'Isabel Reyes' };
    expect(bodies).toEqual([form, { ...form, proofOfWork: solved(42) }]);
    expect(screen.queryByText(many)).toBeNull();
  });

  test('a second challenge is solved too, a third is the refusal', async () => {
    await register(
      () => refusal(1),
      () => refusal(2),
      () => refusal(3),
    );
    expect(await screen.findByText(many)).toBeVisible();
    expect(bodies.map(({ proofOfWork }) => proofOfWork)).toEqual([undefined, solved(1), solved(2)]);
    expect(screen.queryByText(/your browser does a short check first/)).toBeNull();
    expect(submit('Register')).toBeEnabled();
  });

  test('an error after the proof is shown as usual', async () => {
    await register(
      () => refusal(7),
      () =>
        problem(409, {
          error: 'Username is already taken',
          fields: { username: 'Username is already taken' },
        }),
    );
    await waitFor(() => expect(field('Username')).toHaveAccessibleDescription(/Username is already taken/));
    expect(bodies).toHaveLength(2);
  });

  test.each([
    ['without a solution', InlineWorker, 101],
    ['without a worker', RefusedWorker, 1],
  ])('%s it is refused with the words of the server', async (_, worker, number) => {
    vi.stubGlobal('Worker', worker);
    await register(() => refusal(number));
    expect(await screen.findByText(many)).toBeVisible();
    expect(bodies).toHaveLength(1);
  });
});

describe('a sign-in that needs a proof of work', () => {
  const salt = '00ff?expires=1800000000&';
  const challenge = createHash('sha256').update(`${salt}42`).digest('hex');
  const sentence = 'There were many failed attempts for this account. Please try again in a few minutes.';
  const refusal = () =>
    problem(429, {
      error: sentence,
      code: 'PROOF_OF_WORK_REQUIRED',
      challenge: { algorithm: 'SHA-256', challenge, maxnumber: 100, salt, signature: 'signed' },
    });
  const proofOfWork = btoa(
    JSON.stringify({ algorithm: 'SHA-256', challenge, number: 42, salt, signature: 'signed' }),
  );
  const form = { username: 'isabel', password: 'secret1' };
  let bodies: unknown[];

  function answers(...responses: (() => Response)[]) {
    bodies = [];
    server.use(
      http.post('/api/auth/login', async ({ request }) => {
        bodies.push(await request.json());
        return responses.shift()?.();
      }),
    );
  }

  beforeEach(() => vi.stubGlobal('Worker', InlineWorker));
  afterEach(() => vi.unstubAllGlobals());

  test.each([
    ['en', 'Username', 'Password', 'Login', /your browser does a short check first/],
    ['fil', 'Username', 'Password', 'Mag-sign in', /may maikling pagsusuri munang gagawin/],
  ] as const)('is solved and repeated by itself in %s', async (language, username, password, login, note) => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    class HeldWorker extends InlineWorker {
      override async postMessage(challenge: Parameters<typeof findNumber>[0]) {
        await held;
        await super.postMessage(challenge);
      }
    }
    vi.stubGlobal('Worker', HeldWorker);
    answers(refusal, () => HttpResponse.json(isabel));
    const { user, path } = await renderApp('/auth', { language });
    await user.type(await screen.findByLabelText(username), 'isabel');
    await user.type(field(password), 'secret1');
    await user.click(submit(login));
    expect(await screen.findByText(note)).toHaveRole('status');
    finish();
    await waitFor(() => expect(path()).toBe('/'));
    expect(bodies).toEqual([form, { ...form, proofOfWork }]);
    expect(screen.queryByText(sentence)).toBeNull();
  });

  test('a wrong password after the proof, and each further one with a proof of its own', async () => {
    const wrong = () => problem(401, { error: 'Invalid username or password', code: 'BAD_CREDENTIALS' });
    const required = () => problem(401, { error: 'Enter a code', code: 'SECOND_FACTOR_REQUIRED' });
    answers(refusal, wrong, refusal, required, refusal, () => HttpResponse.json(isabel));
    const { user, path } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.click(submit('Login'));
    expect(await screen.findByText('Invalid username or password')).toBeVisible();
    await user.click(submit('Login'));
    await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
    await waitFor(() => expect(path()).toBe('/'));
    const coded = { ...form, oneTimeCode: '123456' };
    expect(bodies).toEqual([
      form,
      { ...form, proofOfWork },
      form,
      { ...form, proofOfWork },
      coded,
      { ...coded, proofOfWork },
    ]);
  });

  test('a limit without a challenge is the refusal', async () => {
    answers(() => problem(429, { error: 'You are doing this too often.', code: 'RATE_LIMITED' }));
    const { user } = await renderApp('/auth');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.click(submit('Login'));
    expect(await screen.findByText('You are doing this too often.')).toBeVisible();
    expect(bodies).toEqual([form]);
  });
});

describe('register', () => {
  test('?register=true opens it, and required fields show errors', async () => {
    const { user } = await renderApp('/auth?register=true');
    expect(await screen.findByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true');
    await user.click(submit('Register'));
    expect(await screen.findByText('Username must be at least 3 characters')).toBeVisible();
    expect(screen.getByText('Password must be at least 6 characters')).toBeVisible();
    expect(screen.getByText('Full name is required')).toBeVisible();
    expect(await screen.findByText('Validation Error')).toBeVisible();
    expect(field('Headline')).toBeValid();
  });

  test('sends the form without empty optional fields and goes home', async () => {
    answerWith('/api/auth/register', () => HttpResponse.json(isabel, { status: 201 }));
    const { user, path } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.type(field('Full Name'), 'Isabel Reyes');
    await user.type(field('School'), 'Manila College of Law');
    await user.type(field('Graduation Year'), '2027');
    await user.click(submit('Register'));
    await waitFor(() => expect(path()).toBe('/'));
    expect(sent).toEqual({
      username: 'isabel',
      password: 'secret1',
      fullName: 'Isabel Reyes',
      school: 'Manila College of Law',
      graduationYear: '2027',
    });
  });

  const refusals: [string, () => Response, string][] = [
    [
      'the server sentence',
      () => problem(409, { error: 'Username already exists' }),
      'Username already exists',
    ],
    [
      'no sentence',
      () => HttpResponse.json({}, { status: 500 }),
      'Please check your information and try again',
    ],
    ['no answer', () => HttpResponse.error(), 'Please check your information and try again'],
  ];
  test.each(refusals)('failure, %s', async (_, answer, text) => {
    answerWith('/api/auth/register', answer);
    const { user } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.type(field('Full Name'), 'Isabel Reyes');
    await user.click(submit('Register'));
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByText('Registration failed')).toBeVisible();
  });

  test('the school is suggested while it is typed', async () => {
    answerWith('/api/auth/register', () => HttpResponse.json(isabel, { status: 201 }));
    const { user, path } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'long-and-rare-7');
    await user.type(field('Full Name'), 'Isabel Reyes');
    await user.type(field('School'), 'ateneo manila');
    await user.click(
      await screen.findByRole('option', { name: 'Ateneo de Manila University School of Law' }),
    );
    await user.click(submit('Register'));
    await waitFor(() => expect(path()).toBe('/'));
    expect(sent).toMatchObject({ school: 'Ateneo de Manila University School of Law' });
  });

  test('a refusal is Filipino on a Filipino screen, and closes when the registration succeeds', async () => {
    const guessable = 'Please choose a password that is harder to guess';
    answerWith('/api/auth/register', () =>
      problem(400, { error: guessable, fields: { password: guessable } }),
    );
    const { user, path } = await renderApp('/auth?register=true', { language: 'fil' });
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.type(field('Buong Pangalan'), 'Isabel Reyes');
    await user.click(submit('Mag-register'));
    expect(await screen.findByText('Hindi nakapag-register')).toBeVisible();
    expect(screen.getAllByText('Pumili ng password na mas mahirap hulaan').length).toBeGreaterThan(1);
    answerWith('/api/auth/register', () => HttpResponse.json(isabel, { status: 201 }));
    await user.type(field('Password'), '-and-longer');
    await user.click(submit('Mag-register'));
    await waitFor(() => expect(path()).toBe('/'));
    expect(screen.queryByText('Hindi nakapag-register')).toBeNull();
  });

  test('the strength of the password is shown while typing and keeps no one from trying', async () => {
    answerWith('/api/auth/register', () => HttpResponse.json(isabel, { status: 201 }));
    const { user, path } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    expect(field('Password')).toHaveAccessibleDescription('At least 6 characters; longer is better.');
    await user.type(field('Password'), 'isabel1');
    expect(field('Password')).toHaveAccessibleDescription(
      'Weak. Please choose a password that is harder to guess',
    );
    expect(screen.getByText('Weak.').closest('[aria-live="polite"]')).not.toBeNull();
    await user.type(field('Full Name'), 'Isabel Reyes');
    await user.click(submit('Register'));
    await waitFor(() => expect(path()).toBe('/'));
  });

  test('a common password is found by three digits of its hash', async () => {
    const asked = vi.fn();
    server.use(
      http.post('/api/auth/check-password', async ({ request }) => {
        asked(await request.json());
        return HttpResponse.json({ minLength: 6, hashSuffixes: ['84898da'] });
      }),
    );
    const { user } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'PassWord');
    await waitFor(() =>
      expect(field('Password')).toHaveAccessibleDescription(
        'Weak. Please choose a password that is harder to guess',
      ),
    );
    // The policy, and the first digits of the SHA-256 of "password".
    expect(asked.mock.calls).toEqual([[{ hashPrefix: '' }], [{ hashPrefix: '5e8' }]]);
    await user.type(field('Password'), ' of the realm');
    await waitFor(() => expect(field('Password')).not.toHaveAccessibleDescription(/harder to guess/));
  });

  test('a stricter policy is said as soon as it is known', async () => {
    server.use(
      http.post('/api/auth/check-password', () => HttpResponse.json({ minLength: 12, hashSuffixes: [] })),
    );
    const { user } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Password'), 'vK7#pq9!');
    await waitFor(() =>
      expect(field('Password')).toHaveAccessibleDescription('Weak. Use at least 12 characters.'),
    );
  });

  test('without an answer of the server the meter advises by itself', async () => {
    const failed = vi.fn();
    server.use(
      http.post('/api/auth/check-password', () => {
        failed();
        return HttpResponse.error();
      }),
    );
    const { user } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Password'), 'correct horse battery');
    await waitFor(() => expect(failed).toHaveBeenCalledTimes(2));
    expect(field('Password')).toHaveAccessibleDescription('Strong. Nothing to add.');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('the server’s field errors are shown at the fields', async () => {
    answerWith('/api/auth/register', () =>
      problem(400, { error: 'Please correct the form', fields: { graduationYear: 'Must be a year' } }),
    );
    const { user } = await renderApp('/auth?register=true');
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.type(field('Full Name'), 'Isabel Reyes');
    await user.type(field('Graduation Year'), 'soon');
    await user.click(submit('Register'));
    await waitFor(() => expect(field('Graduation Year')).toHaveAccessibleDescription('Must be a year'));
    expect(await screen.findByText('Please correct the form')).toBeVisible();
  });
});

test('switching the tab clears fields and validation', async () => {
  const { user, path } = await renderApp('/auth');
  await user.type(await screen.findByLabelText('Username'), 'ir');
  await user.click(submit('Login'));
  expect(await screen.findByText('Username must be at least 3 characters')).toBeVisible();

  await user.click(screen.getByRole('tab', { name: 'Register' }));
  expect(path()).toBe('/auth?register=true');
  expect(await screen.findByLabelText('Full Name')).toBeVisible();
  expect(field('Username')).toHaveValue('');
  expect(screen.queryByText('Username must be at least 3 characters')).toBeNull();

  await user.click(screen.getByRole('tab', { name: 'Login' }));
  expect(screen.queryByLabelText('Full Name')).toBeNull();
  expect(field('Username')).toHaveValue('');
});

test('a signed-in member is redirected home', async () => {
  signedInAs(isabel);
  const { path } = await renderApp('/auth?register=true');
  await waitFor(() => expect(path()).toBe('/'));
});

test('is translated to Filipino', async () => {
  const { user } = await renderApp('/auth?register=true', { language: 'fil' });
  await user.click(within(await screen.findByRole('tabpanel')).getByRole('button', { name: 'Mag-register' }));
  expect(await screen.findByText('Kailangan ang buong pangalan')).toBeVisible();
  expect(await screen.findByText('May Mali sa Form')).toBeVisible();
});

test('the password can be shown', async () => {
  const { user } = await renderApp('/auth');
  await user.type(await screen.findByLabelText('Password'), 'secret1');
  expect(field('Password')).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field('Password')).toHaveAttribute('type', 'text');
});

describe('a redirect from a members’ screen', () => {
  const form = async (user: Awaited<ReturnType<typeof renderApp>>['user']) => {
    answerWith('/api/auth/login', () => HttpResponse.json(isabel));
    await user.type(await screen.findByLabelText('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.click(submit('Login'));
  };
  const members = 'This page is for members. Sign in or register, and you will be taken to it.';

  test('says why, and returns to the screen after the sign-in', async () => {
    const { user, path } = await renderApp('/network?tab=requests');
    expect(await screen.findByText(members)).toBeVisible();
    expect(path()).toBe('/auth');
    await form(user);
    await waitFor(() => expect(path()).toBe('/network?tab=requests'));
  });

  test('returns after a registration on the other tab', async () => {
    answerWith('/api/auth/register', () => HttpResponse.json(isabel, { status: 201 }));
    const { user, path } = await renderApp('/saved-items');
    await user.click(await screen.findByRole('tab', { name: 'Register' }));
    expect(screen.getByText(members)).toBeVisible();
    await user.type(field('Username'), 'isabel');
    await user.type(field('Password'), 'secret1');
    await user.type(field('Full Name'), 'Isabel Reyes');
    await user.click(submit('Register'));
    await waitFor(() => expect(path()).toBe('/saved-items'));
  });

  test('a visitor who opens /auth directly is told nothing', async () => {
    await renderApp('/auth');
    await screen.findByLabelText('Username');
    expect(screen.queryByText(members)).toBeNull();
  });
});

// The specification's error catalogue: every error is provoked and checked on the screen.
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { connect, createClassmates, type TestMember } from './classmates';
import { newMember, password } from './member';
import { test } from './test';

const toast = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first();

async function expectToast(page: Page, title: string, words: string | RegExp) {
  await expect(toast(page, words)).toBeVisible();
  await expect(toast(page, title)).toBeVisible();
}

interface MockedError {
  status?: number;
  /** The `error` sentence of the problem. Without it the body is `body`, by default an empty object. */
  error?: string;
  body?: string;
}

/** From now on, the server answers this call with an error. */
async function mockError(
  page: Page,
  method: string,
  path: RegExp,
  { status = 503, error, body }: MockedError,
) {
  await page.route(
    ({ pathname }) => path.test(pathname),
    (route) => {
      if (route.request().method() !== method) return route.fallback();
      if (body !== undefined) return route.fulfill({ status, contentType: 'text/plain', body });
      const problem = { code: 'TEST', fields: {}, requestId: null };
      return route.fulfill({ status, json: error ? { ...problem, error } : {} });
    },
  );
}

const unavailable = { status: 503, error: 'Please try again soon' };

async function createPost(context: BrowserContext, userId: string, content: string): Promise<string> {
  const answer = await context.request.post('/api/posts', { data: { userId, content } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** Ana has sent Ben a connection request. */
async function requestConnection(ana: TestMember, ben: TestMember) {
  const data = { requesterId: ana.id, recipientId: ben.id, status: 'pending' };
  expect((await ana.context.request.post('/api/connections', { data })).status()).toBe(201);
}

test('an error response shows its status, a colon, and the text of the body or of the status', async ({
  page,
  context,
}) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(`/posts/${await createPost(context, id, 'Draft three is done.')}`);
  for (const [answer, message] of [
    [{ status: 500, body: 'out of paper' }, '500: out of paper'],
    [{ status: 503, body: '' }, '503: Service Unavailable'],
    [{ status: 429, error: 'Too many requests' }, '429: Too many requests'],
  ] as const) {
    await page.unrouteAll();
    await mockError(page, 'POST', /\/likes$/, answer);
    await page.getByRole('button', { name: 'Like', exact: true }).click();
    await expectToast(page, 'Error', `Failed to like post: ${message}`);
  }
});

test('a login failure', async ({ page, context }) => {
  const { username } = await newMember(context, 'Isabel Reyes');
  await context.clearCookies();
  await page.goto('/auth');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  const login = page.getByRole('tabpanel').getByRole('button', { name: 'Login' });
  await login.click();
  await expectToast(page, 'Login failed', 'Invalid username or password');
  for (const [answer, words] of [
    [{ status: 500 }, 'Please check your credentials and try again'],
    [{ status: 502, body: '<html>bad gateway</html>' }, 'Login failed - please try again'],
  ] as const) {
    await page.unrouteAll();
    await mockError(page, 'POST', /\/api\/auth\/login$/, answer);
    await login.click();
    await expectToast(page, 'Login failed', words);
  }
  await expect(page).toHaveURL(/\/auth$/);
});

test('registration failure', async ({ page, context }) => {
  const { username } = await newMember(context, 'Isabel Reyes');
  await context.clearCookies();
  await page.goto('/auth?register=true');
  await page.getByLabel('Username').fill(username.toUpperCase());
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Full Name').fill('Another Member');
  const register = page.getByRole('tabpanel').getByRole('button', { name: 'Register' });
  await register.click();
  await expect(toast(page, 'Registration failed')).toBeVisible();
  await expect(page.getByText('Username is already taken', { exact: true })).not.toHaveCount(0);
  await mockError(page, 'POST', /\/api\/auth\/register$/, { status: 500 });
  await register.click();
  await expectToast(page, 'Registration failed', 'Please check your information and try again');
});

test('a logout failure is only logged', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/network');
  await mockError(page, 'POST', /\/api\/auth\/logout$/, unavailable);
  const logged = page.waitForEvent('console', (message) => message.text().includes('503: Please try again'));
  await page.getByRole('button', { name: 'Log out' }).click();
  expect((await logged).type()).toBe('error');
  await expect(page).toHaveURL(/\/network$/);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  await expect(page.getByText('Error', { exact: true })).toHaveCount(0);
});

test('a failed session check counts as signed out', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await mockError(page, 'GET', /\/api\/auth\/me$/, unavailable);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test('an empty post, a failed post, and a published post', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await page.goto('/');
  await page.getByRole('button', { name: 'Start a post...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a post' });
  const post = dialog.getByRole('button', { name: 'Post', exact: true });
  await dialog.getByRole('textbox').fill('   ');
  await post.click();
  await expectToast(page, 'Empty post', 'Please write something before posting.');

  await mockError(page, 'POST', /\/api\/posts$/, unavailable);
  await dialog.getByRole('textbox').fill('We won.');
  await post.click();
  await expectToast(page, 'Error', 'Failed to create post: 503: Please try again soon');
  await expect(dialog.getByRole('textbox')).toHaveValue('We won.');

  await page.unrouteAll();
  await post.click();
  await expectToast(page, 'Post created', 'Your post has been published successfully.');
  await expect(dialog).toHaveCount(0);
});

test('a like, a comment and a connection request fail', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  const { page } = ana;
  await page.goto(`/posts/${await createPost(ben.context, ben.id, 'Draft three is done.')}`);
  await mockError(page, 'POST', /\/(likes|comments|connections)$/, unavailable);
  await page.getByRole('button', { name: 'Like', exact: true }).click();
  await expectToast(page, 'Error', 'Failed to like post: 503: Please try again soon');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByRole('textbox', { name: 'Comment' }).fill('Count me in.');
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await expectToast(page, 'Error', 'Failed to add comment: 503: Please try again soon');
  await page.goto(`/profile/${ben.id}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expectToast(page, 'Error', 'Failed to send connection request: 503: Please try again soon');
});

test('a visitor who likes, comments or connects is asked to sign in', async ({ page, browser }) => {
  const [ana] = (await createClassmates(browser, 'Ana')) as [TestMember];
  await page.goto(`/posts/${await createPost(ana.context, ana.id, 'Draft three is done.')}`);
  await page.getByRole('button', { name: 'Like', exact: true }).click();
  await expectToast(page, 'Sign in required', 'Please sign in to like posts');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await expectToast(page, 'Sign in required', 'Please sign in to comment on posts');
  await page.getByRole('button', { name: `Options for ${ana.name}` }).click();
  await page.getByRole('menuitem', { name: `Connect with ${ana.name}` }).click();
  await expectToast(page, 'Sign in required', 'Please sign in to connect with other users');
  await page.goto(`/profile/${ana.id}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expectToast(page, 'Authentication required', 'Please sign in to connect with other users');
});

test('a connection succeeds, and responses to requests fail', async ({ browser }) => {
  const [ana, ben, carla] = (await createClassmates(browser, 'Ana', 'Ben', 'Carla')) as [
    TestMember,
    TestMember,
    TestMember,
  ];
  const { page } = ana;
  await page.goto(`/profile/${ben.id}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expectToast(page, 'Connection request sent', 'Your connection request has been sent');

  await requestConnection(carla, ana);
  await mockError(page, 'PATCH', /\/api\/connections\//, { status: 409, error: 'Already answered' });
  await page.goto('/network?tab=requests');
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expectToast(page, 'Error', 'Failed to accept connection: 409: Already answered');
  await page.getByRole('button', { name: 'Ignore', exact: true }).click();
  await expectToast(page, 'Error', 'Failed to reject connection: 409: Already answered');
});

test('the feed fails to load, and the cards of home are empty', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await mockError(page, 'GET', /\/api\/posts$/, unavailable);
  await page.route(/\/api\/(events|users\/[^/]+\/suggestions)(\?|$)/, (route) => route.fulfill({ json: [] }));
  await page.goto('/');
  await expect(page.getByText('Error loading posts. Please try again later.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start a post...' })).toBeVisible();
  await expect(page.getByText('No connection suggestions right now', { exact: true })).toBeVisible();
  await expect(page.getByText('No upcoming events', { exact: true })).toBeVisible();
});

test('connection lists fail to load', async ({ page, context }) => {
  await newMember(context, 'Isabel Reyes');
  await mockError(page, 'GET', /\/(connections|suggestions)$/, unavailable);
  for (const [tab, words] of [
    ['connections', 'Error loading connections. Please try again later.'],
    ['requests', 'Error loading pending invitations. Please try again later.'],
    ['suggestions', 'Error loading suggestions. Please try again later.'],
  ] as const) {
    await page.goto(tab === 'connections' ? '/network' : `/network?tab=${tab}`);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
});

test('profile load failure', async ({ page }) => {
  await page.goto('/profile/019a0000-0000-7000-8000-0000000000ff');
  await expect(page.getByText('Error loading profile', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Unable to load user profile information. Please try again later.', { exact: true }),
  ).toBeVisible();
});

test('saving a profile fails in its first or its second request', async ({ page, context }) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(`/profile/${id}`);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  await dialog.getByLabel('Bio').fill('Clerk to be.');
  for (const [method, sentence] of [
    ['PATCH', 'Failed to update user information'],
    ['PUT', 'Failed to update profile information'],
  ] as const) {
    await page.unrouteAll();
    await mockError(page, method, /\/api\/users\//, unavailable);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Error', `Failed to update profile: ${sentence}`);
    await expect(dialog.getByText(sentence, { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Bio')).toHaveValue('Clerk to be.');
  }
});

test('an invalid picture and a picture that cannot be made small enough are refused', async ({
  page,
  context,
}) => {
  const { id } = await newMember(context, 'Isabel Reyes');
  await page.goto(`/profile/${id}`);
  const picture = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 800 });
    canvas.getContext('2d')?.fillRect(0, 0, 400, 400);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  const choose = (buffer: Buffer) =>
    dialog.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  await choose(Buffer.from('no picture'));
  await expectToast(page, 'Error', 'Failed to process image file. Please try another image.');

  // A browser that encodes pictures too large and cannot shrink them.
  await page.evaluate(() => {
    const write = HTMLCanvasElement.prototype.toDataURL;
    HTMLCanvasElement.prototype.toDataURL = function (type, quality) {
      const written = write.call(this, type, quality).replace(/=+$/, '');
      return this.width === 200 ? 'data:,' : `${written}${'A'.repeat(500_000)}`;
    };
  });
  await choose(Buffer.from(picture, 'base64'));
  await expect(dialog.locator('img')).toHaveAttribute('src', /^data:image\/jpeg/);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(
    page,
    'Image Processing Error',
    'Unable to process image due to size constraints. Continuing without image update.',
  );
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('banner').locator('img')).toHaveCount(0);
});

test('forgot password failure', async ({ page, context }) => {
  const { username } = await newMember(context, 'Isabel Reyes');
  await page.goto('/forgot-password');
  const next = page.getByRole('button', { name: 'Continue' });
  await page.getByLabel('Username').fill('unknown.username');
  await next.click();
  await expect(toast(page, 'User not found')).toBeVisible();
  for (const [answer, words] of [
    [{ status: 429, error: 'Too many attempts' }, 'Too many attempts'],
    [{ status: 500 }, 'User not found'],
  ] as const) {
    await page.unrouteAll();
    await mockError(page, 'POST', /\/check-username$/, answer);
    await next.click();
    await expect(toast(page, words)).toBeVisible();
  }
  await page.unrouteAll();
  await page.getByLabel('Username').fill(username);
  await next.click();
  await page.getByLabel('New Password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm Password', { exact: true }).fill('another horse');
  await mockError(page, 'POST', /\/reset-password$/, { status: 500 });
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(page, 'Failed to reset password')).toBeVisible();
});

test('jobs: applying, refreshing and loading fail, and a visitor applies', async ({ page, context }) => {
  await page.goto('/jobs');
  const apply = page.getByRole('article').first().getByRole('button', { name: 'Apply Now' });
  await apply.click({ force: true });
  await expectToast(page, 'Authentication Required', 'Please sign in to apply for jobs.');

  await newMember(context, 'Isabel Reyes');
  await page.goto('/jobs');
  await apply.click();
  for (const [answer, words] of [
    [unavailable, 'Please try again soon'],
    [{ status: 500 }, 'Failed to apply'],
  ] as const) {
    await page.unrouteAll();
    await mockError(page, 'POST', /\/apply$/, answer);
    await page.getByRole('dialog').getByRole('button', { name: 'Submit Application' }).click();
    await expectToast(page, 'Application Failed', words);
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await mockError(page, 'POST', /\/api\/jobs\/refresh$/, unavailable);
  await page.getByRole('button', { name: 'Refresh Jobs' }).click();
  await expectToast(page, 'Refresh Failed', 'Failed to refresh job listings.');
  await mockError(page, 'GET', /\/api\/jobs$/, unavailable);
  await page.reload();
  await expect(page.getByText('Error loading jobs. Please try again.', { exact: true })).toBeVisible();
});

test('resources load failure', async ({ page }) => {
  await mockError(page, 'GET', /\/api\/resources$/, unavailable);
  await page.goto('/resources');
  await expect(
    page.getByText('Error loading resources. Please try again later.', { exact: true }),
  ).toBeVisible();
});

test('messages: the list, a thread and a message fail', async ({ browser }) => {
  const [ana, ben] = (await createClassmates(browser, 'Ana', 'Ben')) as [TestMember, TestMember];
  await connect(ana, ben);
  const { page } = ana;
  await page.goto('/messages/019a0000-0000-7000-8000-0000000000ff');
  await expect(page.getByText('Error loading messages', { exact: true })).toBeVisible();
  await mockError(page, 'GET', /\/api\/conversations$/, unavailable);
  await page.goto('/messages');
  await expect(page.getByText('Error loading conversations', { exact: true })).toBeVisible();

  await page.goto(`/profile/${ben.id}`);
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  await mockError(page, 'POST', /\/messages$/, unavailable);
  await page.getByRole('textbox', { name: 'Message' }).fill('Are you there?');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect(page.getByText(/^Failed to send message\. Please try again\./)).toBeVisible();
});

test('news: loading fails and is retried, an article has no date, and a search has no results', async ({
  page,
}) => {
  await mockError(page, 'GET', /\/api\/news$/, unavailable);
  await page.goto('/legal-news');
  await expect(page.getByText('Error loading news articles.', { exact: true })).toBeVisible();
  await page.unrouteAll();
  await page.route(/\/api\/news\?/, async (route) => {
    const answer = await route.fetch();
    const { articles, pagination } = (await answer.json()) as { articles: object[]; pagination: object };
    const dates = [null, 'yesterday-ish'];
    const undated = articles.slice(0, 2).map((article, at) => ({ ...article, publishedAt: dates[at] }));
    await route.fulfill({ response: answer, json: { articles: undated, pagination } });
  });
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Unknown date' })).toHaveCount(2);
  await page.unrouteAll();
  await page.goto('/legal-news?search=no%20such%20words%20anywhere');
  await expect(page.getByText('No articles found.', { exact: true })).toBeVisible();
});

// A browser stores nothing of a member on a shared computer or after a session that a person ended, and the unsent work
// of an expired session for a day. The tests close profiles on disk and open them again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { connect, createClassmates, type TestMember } from './classmates';
import { newMember, password } from './member';
import { png } from './picture';
import { test as base } from './test';

// Browsers have no passkeys for an IP address.
const server = new URL(process.env.PORTIA_URL ?? 'http://127.0.0.1:8080');
if (server.hostname === '127.0.0.1') server.hostname = 'localhost';

const test = base.extend<{ openBrowser: () => Promise<BrowserContext> }>({
  // Each call opens the same profile; the browser before must be closed.
  openBrowser: async ({ launchOptions }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'portia-profile-'));
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await chromium.launchPersistentContext(profile, {
        ...launchOptions,
        baseURL: server.origin,
        serviceWorkers: 'allow',
      });
      opened.push(context);
      return context;
    });
    await Promise.all(opened.map((context) => context.close()));
    await rm(profile, { recursive: true, force: true });
  },
});
test.use({ baseURL: server.origin });

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

/** All that scripts of this origin can store, as text; on a page without the client, which would change it. */
async function storedIn(context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.goto('/favicon.svg');
  const stored = await page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    for (const name of await caches.keys()) {
      if (!name.startsWith('portia-kept')) continue;
      found.push(name);
      const cache = await caches.open(name);
      for (const address of await cache.keys())
        found.push(address.url, await (await cache.match(address))?.text());
    }
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name as string);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames)
        found.push(
          await new Promise((resolve, reject) => {
            const reading = database.transaction(store).objectStore(store).getAllKeys();
            reading.onsuccess = () => resolve(reading.result);
            reading.onerror = () => reject(reading.error);
          }),
        );
      database.close();
    }
    return JSON.stringify(found);
  });
  await page.close();
  return stored;
}

interface Conversation {
  id: string;
  member: { id: string; username: string; name: string };
  text: string;
}

/** A member with a conversation; its other member wrote one message. The member is signed in only in `home`. */
async function conversationOf(home: BrowserContext, other: TestMember): Promise<Conversation> {
  const name = `Ana ${unique()}`;
  const registered = await newMember(home, name);
  const member = { ...registered, name, context: home, page: await home.newPage() };
  await connect(member, other);
  const opened = await other.page.request.post('/api/conversations', { data: { userId: member.id } });
  const { id } = (await opened.json()) as { id: string };
  const text = `Between us ${unique()}`;
  const sent = await other.page.request.post(`/api/conversations/${id}/messages`, {
    data: { content: text },
  });
  expect(sent.status()).toBe(201);
  return { id, member: { id: member.id, username: member.username, name }, text };
}

async function signIn(page: Page, username: string, { shared = false } = {}) {
  await page.goto('/auth');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (shared) await page.getByLabel('This is a shared computer').check();
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
}

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });

/** Reads the conversation, and leaves a draft with a picture. */
async function writeDraft(page: Page, { id, text }: Conversation): Promise<string> {
  const draft = `Not sent ${unique()}`;
  await page.goto(`/messages/${id}`);
  await expect(page.getByText(text).first()).toBeVisible();
  await message(page).fill(draft);
  await page.locator('input[type=file]').first().setInputFiles(png(8, 8));
  await expect(page.getByRole('button', { name: /Remove/ }).first()).toBeVisible();
  return draft;
}

/** Nothing here is of this member: neither ids nor names nor texts. */
async function expectNothingOf(context: BrowserContext, { member, text, id }: Conversation, draft: string) {
  await expect(async () => {
    const stored = await storedIn(context);
    for (const part of [member.id, member.username, member.name, text, id, draft, 'portia-kept'])
      expect(stored).not.toContain(part);
  }).toPass();
}

async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

for (const proof of ['password', 'passkey'] as const)
  test(`on a shared computer nothing is stored, and nothing is shown after the browser was closed (${proof})`, async ({
    browser,
    openBrowser,
  }) => {
    const [ben] = (await createClassmates(browser, 'Ben')) as [TestMember];
    const elsewhere = proof === 'password' ? await browser.newContext() : undefined;
    let context = await openBrowser();
    const conversation = await conversationOf(elsewhere ?? context, ben);
    let page = await context.newPage();
    if (proof === 'password') await signIn(page, conversation.member.username, { shared: true });
    else {
      // The same member used this browser as their own before.
      await addAuthenticator(page);
      await page.goto('/settings');
      const passkeys = page.getByRole('region', { name: 'Passkeys' });
      await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Phone');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(passkeys.getByText('Phone', { exact: true })).toBeVisible();
      await writeDraft(page, conversation);
      await context.clearCookies({ name: 'portia_session' });
      await page.goto('/auth');
      await page.getByLabel('This is a shared computer').check();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    }
    const draft = await writeDraft(page, conversation);
    // Drafts live as long as the page.
    await page.getByRole('link', { name: 'Jobs' }).first().click();
    await page.goBack();
    await expect(message(page)).toHaveValue(draft);
    await expectNothingOf(context, conversation, draft);
    await context.close();

    context = await openBrowser();
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('portia_session');
    await expectNothingOf(context, conversation, draft);
    page = await context.newPage();
    await context.setOffline(true);
    await page.goto(`/messages/${conversation.id}`).catch(() => undefined);
    await expect(page.getByText(conversation.text)).toHaveCount(0);
    await expect(page.getByText(conversation.member.name)).toHaveCount(0);
    await context.setOffline(false);
    await page.goto(`/messages/${conversation.id}`);
    await expect(page).toHaveURL(/\/auth$/);
    await expectNothingOf(context, conversation, draft);
    await elsewhere?.close();
  });

test('a session that is ended from elsewhere takes everything with it', async ({ browser, openBrowser }) => {
  const [ben] = (await createClassmates(browser, 'Ben')) as [TestMember];
  const elsewhere = await browser.newContext();
  const context = await openBrowser();
  const conversation = await conversationOf(elsewhere, ben);
  const page = await context.newPage();
  await signIn(page, conversation.member.username);
  const draft = await writeDraft(page, conversation);
  await expect(async () => {
    const stored = await storedIn(context);
    for (const part of [draft, conversation.text, 'courtroom.png']) expect(stored).toContain(part);
  }).toPass();
  await page.goto('/favicon.svg');
  const sessions = await elsewhere.request.get('/api/auth/sessions');
  const [other] = ((await sessions.json()) as { id: string; current: boolean }[]).filter(
    (one) => !one.current,
  );
  const ended = await elsewhere.request.delete(`/api/auth/sessions/${other?.id}`);
  expect(ended.status()).toBe(204);
  await page.goto(`/messages/${conversation.id}`);
  await expect(page).toHaveURL(/\/auth$/);
  await expectNothingOf(context, conversation, draft);
});

test('unsent work of an expired session waits for the same member, and goes with the sign-in of another', async ({
  browser,
  openBrowser,
}) => {
  const [ben] = (await createClassmates(browser, 'Ben')) as [TestMember];
  const context = await openBrowser();
  const conversation = await conversationOf(context, ben);
  const page = await context.newPage();
  const draft = await writeDraft(page, conversation);
  // The browser deletes the cookie of the session in time.
  await context.clearCookies({ name: 'portia_session' });
  await page.goto(`/messages/${conversation.id}`);
  await expect(page).toHaveURL(/\/auth$/);
  let stored = await storedIn(context);
  expect(stored).toContain(draft);
  expect(stored).not.toContain(conversation.text);
  await signIn(page, conversation.member.username);
  await page.goto(`/messages/${conversation.id}`);
  await expect(message(page)).toHaveValue(draft);

  await context.clearCookies({ name: 'portia_session' });
  const visitor = await browser.newContext();
  const { username } = await newMember(visitor, 'Carla Diaz');
  await signIn(page, username);
  stored = await storedIn(context);
  for (const part of [`:${conversation.member.id}`, draft, conversation.text])
    expect(stored).not.toContain(part);
  await visitor.close();
});

test('signing out works without a network, and the server learns of it first when there is one', async ({
  browser,
  openBrowser,
}) => {
  const [ben] = (await createClassmates(browser, 'Ben')) as [TestMember];
  let context = await openBrowser();
  const conversation = await conversationOf(context, ben);
  let page = await context.newPage();
  const draft = await writeDraft(page, conversation);
  await page.goto('/jobs');
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  const session = (await context.cookies()).find(({ name }) => name === 'portia_session');
  const other = await context.newPage();
  await other.goto('/network');
  await expect(other.getByRole('button', { name: 'Log out' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Log out' })).toHaveCount(0);
  await page.goto(`/messages/${conversation.id}`).catch(() => undefined);
  await expect(page.getByText(conversation.text)).toHaveCount(0);
  await context.close();

  context = await openBrowser();
  page = await context.newPage();
  const requests: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}`);
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Your Legal Career Starts Here' })).toBeVisible();
  await expect.poll(() => requests.includes('GET /api/auth/me')).toBe(true);
  expect(requests[0]).toBe('POST /api/auth/logout');
  const visitor = await browser.newContext();
  const me = await visitor.request.get('/api/auth/me', {
    headers: { cookie: `portia_session=${session?.value}` },
  });
  expect(me.status()).toBe(401);
  await visitor.close();
  await expectNothingOf(context, conversation, draft);
});

test('two tabs with one composer overwrite nothing, and what a closed tab leaves is offered', async ({
  browser,
  openBrowser,
}) => {
  const [ben] = (await createClassmates(browser, 'Ben')) as [TestMember];
  let context = await openBrowser();
  const { id } = await conversationOf(context, ben);
  const [one, two] = [await context.newPage(), await context.newPage()];
  await one.goto(`/messages/${id}`);
  await two.goto(`/messages/${id}`);
  await message(one).fill('From the first tab');
  await message(two).fill('From the second tab');
  await expect(message(one)).toHaveValue('From the first tab');
  for (const [page, text] of [
    [one, 'From the first tab'],
    [two, 'From the second tab'],
  ] as const) {
    await page.reload();
    await expect(message(page)).toHaveValue(text);
  }
  // The browser ends without telling its pages.
  await context.close();
  context = await openBrowser();
  const page = await context.newPage();
  await page.goto(`/messages/${id}`);
  await expect(message(page)).toHaveValue('From the second tab');
  await message(page).fill('');
  await page.reload();
  await expect(message(page)).toHaveValue('From the first tab');
});

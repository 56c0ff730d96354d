// Private communities and joining on request: an invited member joins or declines, a stranger finds nothing, and a moderator answers requests.
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { auditAddress } from './audit';
import { newMember } from './member';
import { test } from './test';

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

async function createCommunity(context: BrowserContext, data: Record<string, string>): Promise<string> {
  const answer = await context.request.post('/api/communities', { data });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** The service learns of a new member within two seconds. */
async function invite(context: BrowserContext, id: string, member: string) {
  await expect(async () => {
    const answer = await context.request.put(`/api/communities/${id}/invitations/${member}`);
    expect(answer.status()).toBe(204);
  }).toPass();
}

/** The same words follow in the announcement for screen readers. */
const toast = (page: Page, words: string | RegExp) => page.getByText(words, { exact: true }).first();

test('an invited member joins a private community that a stranger does not find', async ({
  context,
  browser,
}) => {
  const [inviting, strange] = [await browser.newContext(), await browser.newContext()];
  const { id: invited } = await newMember(context, 'Isabel Reyes');
  await newMember(inviting, 'Priya Raghavan');
  await newMember(strange, 'Marco Villanueva');
  const name = `Closed Circle ${unique()}`;
  const id = await createCommunity(inviting, { name, visibility: 'private' });
  await invite(inviting, id, invited);

  const stranger = await strange.newPage();
  await stranger.goto(`/communities/${id}`);
  await expect(stranger.getByText('Community not found')).toBeVisible();
  expect((await strange.request.get(`/api/communities/${id}`)).status()).toBe(404);

  const page = await context.newPage();
  await page.goto('/communities');
  await expect(page.getByRole('region', { name: 'Invitations' })).toBeVisible();
  await page.getByRole('link', { name }).click();
  await expect(page.getByText('Accept the invitation to see the posts of this community.')).toBeVisible();
  await page.getByRole('button', { name: `Accept the invitation to ${name}` }).click();
  await expect(toast(page, `You joined ${name}`)).toBeVisible();
  await expect(page.getByRole('tab', { name: /Members/ })).toBeVisible();
});

test('a declined invitation is not repeated, and the member sees nothing of the community', async ({
  context,
  browser,
}) => {
  const inviting = await browser.newContext();
  const { id: invited } = await newMember(context, 'Isabel Reyes');
  await newMember(inviting, 'Priya Raghavan');
  const name = `Closed Circle ${unique()}`;
  const id = await createCommunity(inviting, { name, visibility: 'private' });
  await invite(inviting, id, invited);

  const page = await context.newPage();
  await page.goto('/communities');
  await page.getByRole('button', { name: `Decline the invitation to ${name}` }).click();
  await expect(toast(page, `You declined the invitation to ${name}`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Invitations' })).toHaveCount(0);
  await page.goto(`/communities/${id}`);
  await expect(page.getByText('Community not found')).toBeVisible();
  const again = await inviting.request.put(`/api/communities/${id}/invitations/${invited}`);
  expect(again.status()).toBe(409);
  expect(((await again.json()) as { error: string }).error).toBe(
    'You can invite this member again 30 days after they declined.',
  );
});

test('a moderator approves a request to join and declines another', async ({ context, browser }) => {
  const [moderating, declined] = [await browser.newContext(), await browser.newContext()];
  await newMember(context, 'Isabel Reyes');
  await newMember(declined, 'Marco Villanueva');
  await newMember(moderating, 'Priya Raghavan');
  const name = `Asking Circle ${unique()}`;
  const id = await createCommunity(moderating, { name, joining: 'request' });

  const page = await context.newPage();
  const other = await declined.newPage();
  // Exactly: the name of the button that cancels a request contains it.
  const ask = (asking: Page) => asking.getByRole('button', { name: `Request to join ${name}`, exact: true });
  for (const asking of [page, other]) {
    await asking.goto(`/communities/${id}`);
    await ask(asking).click();
    await expect(asking.getByText('Requested', { exact: true })).toBeVisible();
  }

  const theirs = await moderating.newPage();
  await theirs.goto(`/communities/${id}?tab=manage`);
  await theirs.getByRole('button', { name: 'Approve Isabel Reyes’s request' }).click();
  await expect(toast(theirs, 'Isabel Reyes is a member now')).toBeVisible();
  await theirs.getByRole('button', { name: 'Decline Marco Villanueva’s request' }).click();
  await expect(toast(theirs, 'Marco Villanueva’s request was declined')).toBeVisible();
  // The pages of both members follow by themselves.
  await expect(page.getByRole('button', { name: `Leave ${name}` })).toBeVisible();
  const refused = other.waitForResponse(`**/api/communities/${id}/membership`);
  await ask(other).click();
  expect((await refused).status()).toBe(409);
  const refusal = /: 409: You can ask to join this community again 30 days after its moderators declined\.$/;
  await expect(toast(other, refusal)).toBeVisible();
});

test('invitations and requests pass the audit in every variant', async ({ context, page, browser }) => {
  test.slow();
  const moderating = await browser.newContext();
  const { id: member } = await newMember(context, 'Lucía Fernández-Villanueva de la Cruz');
  const { id: waiting } = await newMember(await browser.newContext(), 'Priya Raghavan');
  await newMember(moderating, 'Maximiliano Bartholomew Featherstonehaugh');
  const society = `The Society for the Advancement of Appellate Advocacy ${unique()}`;
  const closed = await createCommunity(moderating, { name: society, visibility: 'private' });
  const asking = await createCommunity(moderating, { name: `Asking ${unique()}`, joining: 'request' });
  await invite(moderating, closed, member);
  await invite(moderating, asking, waiting);
  expect((await context.request.put(`/api/communities/${asking}/membership`)).status()).toBe(200);
  await auditAddress(page, '/communities', () =>
    expect(page.getByRole('region', { name: /^(Invitations|Mga imbitasyon)$/ })).toBeVisible(),
  );
  await auditAddress(page, `/communities/${closed}`, () =>
    expect(page.getByRole('heading', { level: 1, name: society })).toBeVisible(),
  );
  const manage = await moderating.newPage();
  await auditAddress(manage, `/communities/${asking}?tab=manage`, async () => {
    await expect(manage.getByRole('button', { name: /Lucía/ }).first()).toBeVisible();
    await expect(manage.getByRole('button', { name: /Priya/ })).toBeVisible();
  });
});

// Addresses from members and outside sources: only a plain web address becomes a link, and no script runs.
import { expect, type Page } from '@playwright/test';
import { newMember } from './member';
import { test } from './test';

/** None of these may appear in an address of the page. Each opens a dialog if it runs. */
const payloads = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '  javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\u200bjavascript:alert(1)',
  '\u202ejavascript:alert(1)',
  'javascript\u003aalert(1)',
  'javascript:alert(1)//https://example.org',
  'javascript:"https://example.org";alert(1)',
  'javascript://example.org/%0aalert(1)',
  'jav&#x09;ascript:alert(1)',
  'javascript&colon;alert(1)',
  'ｊａｖａｓｃｒｉｐｔ:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'vbscript:msgbox(1)',
  'VbScRiPt:msgbox(1)',
  'blob:https://example.org/1',
  'filesystem:https://example.org/1',
  'view-source:https://example.org',
  'file:///etc/passwd',
  'https://portia.example@example.org',
  'https://name:word@example.org',
  'https://@example.org',
  'https://portia.example\\@example.org',
  'https:\\\\example.org',
  '//example.org',
  '\\\\example.org',
  '/\\example.org',
  'https:///example.org',
  'https://exa\u0000mple.org',
  'https://example.org/\u202egpj.exe',
  'https://exa\u200bmple.org',
  'https://example.org" onmouseover="alert(1)',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
];

/** Records dialogs, new windows, and navigation away from the page. */
function recordViolations(page: Page) {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => void seen.push(`window ${popup.url()}`));
  page.on('framenavigated', (frame) => {
    if (frame.parentFrame()) seen.push(`frame ${frame.url()}`);
  });
  return seen;
}

/** Every address in the page that is neither of this site nor a web address, as written and as the browser parses it. */
function suspiciousLinks(page: Page): Promise<string[]> {
  return page.evaluate((hostile) => {
    const names = ['href', 'xlink:href', 'action', 'formaction', 'srcdoc', 'ping'];
    const found: string[] = [];
    for (const element of document.querySelectorAll('*')) {
      for (const name of element.getAttributeNames())
        if (name.startsWith('on')) found.push(`${element.tagName} ${name}`);
      for (const name of names) {
        const written = element.getAttribute(name);
        // React's placeholder for a form with a function as its action: it throws, and the content security policy forbids it.
        if (written === null || written.startsWith("javascript:throw new Error('A React form")) continue;
        const read = URL.canParse(written, location.href) ? new URL(written, location.href) : null;
        const plain =
          read &&
          /^https?:$/.test(read.protocol) &&
          !read.username &&
          !read.password &&
          !/[\s\p{Cc}\p{Cf}]/u.test(written);
        if (!plain || hostile.includes(written)) found.push(`${element.tagName} ${name}=${written}`);
      }
    }
    for (const element of document.querySelectorAll('iframe, object, embed, svg script, main script'))
      found.push(element.outerHTML);
    return found;
  }, payloads);
}

const author = (id: string, fullName = 'Priya Raghavan') => ({
  id,
  fullName,
  headline: null,
  avatarUrl: null,
});
const memberId = '019a0000-0000-7000-8000-000000000002';

/** A profile as a compromised server would send it. */
function profileWith(payload: string, fullName?: string) {
  const user = {
    ...author(memberId, fullName),
    username: 'priya',
    headline: payload,
    location: payload,
    bio: payload,
    avatarUrl: payload,
    website: payload,
    linkedin: payload,
    school: payload,
    graduationYear: '2027',
    createdAt: '2026-03-20T08:00:00Z',
    experiences: [],
    education: [],
    skills: [payload],
  };
  const { bio, skills } = user;
  return {
    user,
    profile: { userId: memberId, bio, experiences: [], education: [], skills },
    endorsements: [{ skill: payload, count: 1, endorsedByMe: false }],
  };
}

/** A posting with the payload in every field of a source. */
function jobWith(payload: string, id: string) {
  return {
    id,
    title: payload.trim() || 'Blank',
    company: payload,
    location: payload,
    description: payload,
    employmentType: 'internship',
    experienceLevel: null,
    practiceArea: null,
    salary: payload,
    source: payload,
    applicationDeadline: null,
    externalUrl: payload,
    postedAt: '2026-11-20T08:00:00Z',
    closedAt: null,
    isDemo: false,
    applied: false,
  };
}

/** An article cluster of two sources with the payload in every field. */
function articleWith(payload: string, id: string) {
  const copy = { source: 'aba', sourceName: payload, url: payload };
  return {
    ...copy,
    id,
    title: payload.trim() || 'Blank',
    description: payload,
    author: payload,
    publishedAt: '2026-11-20T08:00:00Z',
    copies: [copy, { ...copy, url: ` ${payload}` }],
    isDemo: true,
  };
}

test.describe('a hostile API', () => {
  test('a profile shows no Website and no LinkedIn button', async ({ page }) => {
    test.slow();
    const seen = recordViolations(page);
    await page.route(/\/api\/users\/\d+\/profile$/, (route) => {
      const nr = Number(/\/(\d+)\/profile$/.exec(route.request().url())?.[1]);
      return route.fulfill({ json: profileWith(payloads[nr] ?? '', `Priya Raghavan ${nr}.`) });
    });
    for (const [nr, payload] of payloads.entries()) {
      const path = `/profile/${nr}`;
      if (nr === 0) await page.goto(path);
      // The client goes from profile to profile: forty documents took a minute.
      else
        await page.evaluate((to) => {
          history.pushState(null, '', to);
          dispatchEvent(new PopStateEvent('popstate'));
        }, path);
      await expect(page.getByRole('heading', { level: 1, name: `Priya Raghavan ${nr}.` })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Message', exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Website' })).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'LinkedIn' })).toHaveCount(0);
      await page.getByRole('tab', { name: 'Skills & Endorsements' }).click();
      await expect(page.getByText('1 endorsement')).toBeVisible();
      expect(await suspiciousLinks(page), payload).toEqual([]);
    }
    expect(seen).toEqual([]);
  });

  test('posts: neither the text nor the picture becomes a link', async ({ page }) => {
    const seen = recordViolations(page);
    const posts = payloads.map((payload, nr) => ({
      id: `019a0000-0000-7000-8000-0000000001${String(nr).padStart(2, '0')}`,
      content: payload,
      imageUrl: payload,
      createdAt: '2026-11-20T08:00:00Z',
      user: { ...author(memberId), avatarUrl: payload, headline: payload },
      likes: [],
      likeCount: 0,
      commentCount: 1,
      comments: [
        { id: `c${nr}`, content: payload, createdAt: '2026-11-20T08:00:00Z', user: author(memberId) },
      ],
    }));
    await page.route(/\/api\/posts\?/, (route) => route.fulfill({ json: posts }));
    await page.route(/\/api\/users\/[^/]+\/profile$/, (route) =>
      route.fulfill({ json: profileWith('https://example.org/') }),
    );
    await page.goto(`/profile/${memberId}`);
    await expect(page.getByRole('article')).toHaveCount(payloads.length);
    expect(await suspiciousLinks(page)).toEqual([]);
    await page.getByRole('article').last().scrollIntoViewIfNeeded();
    expect(seen).toEqual([]);
  });

  test('jobs: the list links only to Portia, and a posting does not link to the payload', async ({
    page,
  }) => {
    const seen = recordViolations(page);
    const plain = 'https://example.org/careers';
    const jobs = [...payloads, plain].map((payload, nr) => jobWith(payload, `j${nr}`));
    await page.route(/\/api\/jobs(\?|$)/, (route) => route.fulfill({ json: jobs }));
    await page.route(/\/api\/jobs\/j\d+$/, (route) =>
      route.fulfill({ json: jobs[Number(/\d+$/.exec(route.request().url())?.[0])] }),
    );
    await page.goto('/jobs');
    const cards = page.getByRole('article');
    await expect(cards).toHaveCount(jobs.length);
    await expect(cards.locator('a[target=_blank]')).toHaveCount(0);
    expect(await suspiciousLinks(page)).toEqual([]);
    const original = page.getByRole('link', { name: 'Original posting' });
    for (const [nr, { externalUrl }] of jobs.entries()) {
      await cards.nth(nr).getByRole('link').click();
      await expect(page).toHaveURL(`/jobs/j${nr}`);
      await expect(page.getByRole('button', { name: 'Apply Now' })).toHaveCount(1);
      // The last payload is a plain address. Its link shows that the selector works.
      await expect(original).toHaveCount(externalUrl === plain ? 1 : 0);
      expect(await suspiciousLinks(page), externalUrl).toEqual([]);
      await page.goBack();
    }
    expect(seen).toEqual([]);
  });

  test('news: no link to the original', async ({ page }) => {
    const seen = recordViolations(page);
    const articles = payloads.map((url, nr) => articleWith(url, `n${nr}`));
    await page.route(/\/api\/news(\?|$)/, (route) =>
      route.fulfill({ json: { articles, pagination: { page: 1, hasMore: false } } }),
    );
    await page.goto('/legal-news');
    await expect(page.getByRole('article')).toHaveCount(payloads.length);
    await expect(page.getByRole('article').locator('a[target=_blank]')).toHaveCount(0);
    expect(await suspiciousLinks(page)).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('an article: no link to any of its copies', async ({ page }) => {
    const seen = recordViolations(page);
    const article = articleWith(payloads.join(' '), 'n1');
    const copies = payloads.map((url) => ({ source: 'aba', sourceName: url, url }));
    await page.route(/\/api\/news\/[^/?]+$/, (route) => route.fulfill({ json: { ...article, copies } }));
    await page.goto('/legal-news/n1');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('article').getByRole('link')).toHaveCount(0);
    expect(await suspiciousLinks(page)).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('resources: a payload counts as an internal resource', async ({ page }) => {
    const seen = recordViolations(page);
    const resources = payloads.map((url, nr) => ({
      id: `r${nr}`,
      title: url,
      description: url,
      url,
      type: 'article',
    }));
    await page.route(/\/api\/resources$/, (route) => route.fulfill({ json: resources }));
    await page.goto('/resources');
    await expect(page.getByText('Internal resource')).toHaveCount(payloads.length);
    expect(await suspiciousLinks(page)).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('status: the name and the error of a source are plain text', async ({ page }) => {
    const seen = recordViolations(page);
    const sources = payloads.map((payload, nr) => ({
      name: `${nr} ${payload}`,
      connector: payload,
      state: 'failing',
      lastRunAt: null,
      lastSuccessAt: null,
      newItems: 0,
      failure: payload,
      dueAt: null,
    }));
    await page.route(/\/api\/status$/, (route) => route.fulfill({ json: { jobs: sources, news: [] } }));
    await page.goto('/status');
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(payloads.length);
    expect(await suspiciousLinks(page)).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('a plain address becomes a link', async ({ page }) => {
    await page.route(/\/api\/users\/[^/]+\/profile$/, (route) =>
      route.fulfill({ json: profileWith('https://example.org/me') }),
    );
    await page.goto(`/profile/${memberId}`);
    for (const name of ['Website', 'LinkedIn']) {
      const link = page.getByRole('link', { name });
      await expect(link).toHaveAttribute('href', 'https://example.org/me');
      await expect(link).toHaveAttribute('rel', 'noopener nofollow ugc');
    }
  });
});

test('the real API and the profile editor refuse every payload', async ({ page, context }) => {
  const seen = recordViolations(page);
  const { id } = await newMember(context, 'Priya Raghavan');
  const shown = async () => {
    await page.goto(`/profile/${id}`);
    await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Website' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'LinkedIn' })).toHaveCount(0);
    expect(await suspiciousLinks(page)).toEqual([]);
  };
  for (const payload of payloads) {
    const answer = await context.request.patch(`/api/users/${id}`, {
      data: { website: payload, linkedin: payload },
    });
    if (answer.ok()) {
      // If only a hidden character is invalid, the server stores the address with that character percent-encoded, like a browser.
      expect(payload).toMatch(/^https:\/\/[^@\\]*[\p{Cf}][^@\\]*$/u);
      const { website, linkedin } = (await answer.json()) as { website: string; linkedin: string };
      expect(website).toMatch(/^https:\/\/[\x21-\x7e]+$/);
      expect(linkedin).toBe(website);
      await page.goto(`/profile/${id}`);
      await expect(page.getByRole('link', { name: 'Website' })).toHaveAttribute('href', website);
      expect(await suspiciousLinks(page)).toEqual([]);
      await context.request.patch(`/api/users/${id}`, { data: { website: '', linkedin: '' } });
    } else {
      expect(answer.status(), payload).toBe(400);
      const { fields } = (await answer.json()) as { fields: Record<string, string> };
      expect(Object.keys(fields).sort(), payload).toEqual(['linkedin', 'website']);
    }
  }
  await shown();

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Website').fill('javascript:alert(1)');
  await dialog.getByLabel('Website').press('Enter');
  await expect(dialog.getByText('This must be a link that starts with http:// or https://.')).toBeVisible();
  expect(seen).toEqual([]);
});

// The built-in postings have no employer with a website; this makes the browser see one.
import type { BrowserContext } from '@playwright/test';

export const site = 'https://careers.employer.example/42';

/** The first posting as if its employer had a website with this address, also in the applications for it. */
export async function mockEmployerSite(context: BrowserContext, externalUrl: string) {
  await context.route(/\/api\/jobs(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const [first, ...rest] = (await answer.json()) as Record<string, unknown>[];
    await route.fulfill({ response: answer, json: [{ ...first, externalUrl }, ...rest] });
  });
  await context.route(/\/api\/jobs\/applications\/my/, async (route) => {
    const answer = await route.fetch();
    const all = (await answer.json()) as { job: Record<string, unknown> }[];
    const json = all.map((application) => ({ ...application, job: { ...application.job, externalUrl } }));
    await route.fulfill({ response: answer, json });
  });
  await context.route(`${site}**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<title>Careers</title><script>document.title = String(window.opener)</script>',
    }),
  );
}

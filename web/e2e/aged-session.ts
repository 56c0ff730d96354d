// A session older than ten minutes, in which the server asks for a proof of the member.
import type { Page } from '@playwright/test';

/** Refuses the next request to `path` with this method, as in an older session. A list at the same address is read at any time. */
export async function ageSession(page: Page, method: 'GET' | 'POST', path: string) {
  const json = {
    title: 'Forbidden',
    status: 403,
    error: 'Please confirm that it is you to continue.',
    code: 'STEP_UP_REQUIRED',
    fields: {},
    requestId: null,
  };
  let isRefused = false;
  await page.route(`**${path}`, (route) => {
    if (isRefused || route.request().method() !== method) return route.fallback();
    isRefused = true;
    return route.fulfill({ status: 403, contentType: 'application/problem+json', json });
  });
}

// Registers a new member through the API.
import { type BrowserContext, expect } from '@playwright/test';

export const password = 'correct horse';

let made = 0;

/** Registers a member and signs the context in; `more` has further fields of the form. */
export async function newMember(
  context: BrowserContext,
  fullName: string,
  more: { school?: string; location?: string; headline?: string } = {},
): Promise<{ username: string; id: string }> {
  made += 1;
  const username = `e2e.${process.pid}.${Date.now().toString(36)}.${made}`;
  const answer = await context.request.post('/api/auth/register', {
    data: { username, password, fullName, ...more },
  });
  expect(answer.status()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  return { username, id };
}

// Which screens light the More cell of the bottom bar.
import { expect, test } from 'vitest';
import { isabel } from '@/testing/server';
import { isInMore } from './navigation';

test('a member’s More cell is active on the screens of its sheet', () => {
  for (const path of [
    '/legal-news',
    '/legal-news/7',
    '/search',
    '/communities/7',
    '/topics/moot',
    '/events',
    '/settings/privacy',
    `/profile/${isabel.id}`,
  ])
    expect(isInMore(isabel, path), path).toBe(true);
  for (const path of ['/', '/jobs', '/posts/7', '/profile/another', '/no/such/page', '/legal-newsroom'])
    expect(isInMore(isabel, path), path).toBe(false);
});

test('a visitor’s More cell is active on Network, and neither at the sign-in nor on an unknown address', () => {
  for (const path of ['/network', '/communities', '/events']) expect(isInMore(null, path), path).toBe(true);
  for (const path of ['/auth', '/settings', '/no/such/page']) expect(isInMore(null, path), path).toBe(false);
});

// The three orders of the feed.
import { expect, test } from 'vitest';
import type { Post } from '@/api/types';
import { sorted } from './sort';

const post = (id: string, createdAt: string, likeCount: number) => ({ id, createdAt, likeCount }) as Post;
const posts = [
  post('old', '2026-11-01T00:00:00Z', 5),
  post('new', '2026-11-03T00:00:00Z', 1),
  post('middle', '2026-11-02T00:00:00Z', 5),
];
const ids = (list: Post[]) => list.map(({ id }) => id);

test('relevant keeps the order of the server', () => {
  expect(ids(sorted(posts, 'relevant'))).toEqual(['old', 'new', 'middle']);
});

test('recent sorts by time, newest first', () => {
  expect(ids(sorted(posts, 'recent'))).toEqual(['new', 'middle', 'old']);
});

test('top sorts by likes, then newest first', () => {
  expect(ids(sorted(posts, 'top'))).toEqual(['middle', 'old', 'new']);
});

test('the cached list is not sorted in place', () => {
  sorted(posts, 'top');
  expect(ids(posts)).toEqual(['old', 'new', 'middle']);
});

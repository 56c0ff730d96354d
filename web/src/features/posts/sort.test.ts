// The three orders of the feed.

import { renderHook } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { sorted, useStableOrder } from './sort';

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

describe('the order on screen of the most relevant posts', () => {
  const served = (...names: string[]) => names.map((name) => post(name, '2026-11-01T00:00:00Z', 0));
  const order = () => renderHook(() => useStableOrder('relevant')).result.current;

  test('stays when the server ranks the same posts anew, and further pages follow', () => {
    const on = order();
    expect(ids(on(served('a', 'b', 'c')))).toEqual(['a', 'b', 'c']);
    expect(ids(on(served('c', 'a', 'b')))).toEqual(['a', 'b', 'c']);
    expect(ids(on(served('b', 'c', 'a', 'd', 'e')))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(ids(on(served('e', 'c', 'a', 'd')))).toEqual(['a', 'c', 'd', 'e']);
  });

  test('is the one of the server once a new post is among them', () => {
    const on = order();
    on(served('a', 'b', 'c'));
    expect(ids(on(served('c', 'new', 'a', 'b')))).toEqual(['c', 'new', 'a', 'b']);
    expect(ids(on(served('a', 'c', 'new', 'b')))).toEqual(['c', 'new', 'a', 'b']);
  });
});

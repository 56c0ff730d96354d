// The search for new posts of a list.
import { InfiniteQueryObserver } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { postOf } from '@/testing/posts';
import { server } from '@/testing/server';
import { findNewPosts, newPostsQuery } from './new-posts';
import { postsQuery } from './queries';
import { createQueryClient } from './query-client';

test('the number of found posts is that of posts which the list on screen does not show', async () => {
  const queryClient = createQueryClient();
  const [old, shown, fresh] = ['08', '10', '11'].map((hour) =>
    postOf({ id: hour, createdAt: `2026-11-20T${hour}:00:00Z` }),
  ) as [ReturnType<typeof postOf>, ReturnType<typeof postOf>, ReturnType<typeof postOf>];
  let newest = [shown, old];
  server.use(http.get('/api/posts', () => HttpResponse.json(newest)));
  const feed = postsQuery({ sort: 'relevant' });
  await queryClient.fetchInfiniteQuery(feed);
  onTestFinished(new InfiniteQueryObserver(queryClient, feed).subscribe(() => {}));

  const find = () => findNewPosts(queryClient, 'feed', '2026-11-20T09:00:00Z');
  expect(await find()).toBe(0);
  newest = [fresh, shown, old];
  expect(await find()).toBe(1);
  const found = queryClient.getQueryData(newPostsQuery('feed').queryKey);
  expect(found?.page.items).toEqual([fresh, shown]);
});

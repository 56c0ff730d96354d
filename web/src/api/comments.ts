// Comments: one of them, its replies, and the members who reacted to it or to a post.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, read, readPage } from './client';
import { pagesOf } from './queries';

// Every key starts with the post's key, so that `postsChanged` and a notification refresh the comments too.
const onPost = (postId: string) => ['/api/posts', 'one', postId] as const;

/** The top-level comments of a post: newest page first, each page oldest first. */
export const commentsQuery = (postId: string) =>
  infiniteQueryOptions({
    queryKey: [...onPost(postId), 'comments'],
    ...pagesOf(() => readPage(api.GET('/api/posts/{id}/comments', { params: { path: { id: postId } } }))),
  });

/** One comment or reply. */
export const commentQuery = (postId: string, id: string) =>
  queryOptions({
    queryKey: [...onPost(postId), 'comment', id],
    queryFn: () => read(api.GET('/api/comments/{id}', { params: { path: { id } } })),
  });

/** The replies to a comment, oldest first. */
export const repliesQuery = (postId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...onPost(postId), 'replies', id],
    ...pagesOf(() => readPage(api.GET('/api/comments/{id}/replies', { params: { path: { id } } }))),
  });

/** The members who reacted to a post, newest first. */
export const likesQuery = (postId: string) =>
  infiniteQueryOptions({
    queryKey: [...onPost(postId), 'likes'],
    ...pagesOf(() => readPage(api.GET('/api/posts/{id}/likes', { params: { path: { id: postId } } }))),
  });

/** The members who reacted to a comment, newest first. */
export const commentLikesQuery = (postId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...onPost(postId), 'likes', id],
    ...pagesOf(() => readPage(api.GET('/api/comments/{id}/likes', { params: { path: { id } } }))),
  });

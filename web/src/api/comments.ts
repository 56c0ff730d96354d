// Comments: one of them, its replies, and the members who reacted to it or to a post.
import { pages, query } from './query';

// Every key starts with the post's key, so that `postsChanged` and a notification refresh the comments too.
const onPost = (postId: string) => ['/api/posts', 'one', postId] as const;

/** The top-level comments of a post: newest page first, each page oldest first. */
export const commentsQuery = (postId: string) => pages('/api/posts/{id}/comments', { path: { id: postId } });

/** One comment or reply. */
export const commentQuery = (postId: string, id: string) =>
  query('/api/comments/{id}', { path: { id } }, { queryKey: [...onPost(postId), 'comment', id] });

/** The replies to a comment, oldest first. */
export const repliesQuery = (postId: string, id: string) =>
  pages('/api/comments/{id}/replies', { path: { id } }, { queryKey: [...onPost(postId), 'replies', id] });

/** The members who reacted to a post, newest first. */
export const likesQuery = (postId: string) => pages('/api/posts/{id}/likes', { path: { id: postId } });

/** The members who reacted to a comment, newest first. */
export const commentLikesQuery = (postId: string, id: string) =>
  pages('/api/comments/{id}/likes', { path: { id } }, { queryKey: [...onPost(postId), 'likes', id] });

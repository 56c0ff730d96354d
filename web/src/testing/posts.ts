// Test data: posts as the gateway serves them.
import type { Comment, Post } from '@/api/schema.gen';

export const priya = {
  id: '019a0000-0000-7000-8000-000000000002',
  fullName: 'Priya Raghavan',
  headline: 'Editor-in-chief, Eastbay Law Review',
  avatarUrl: null,
};

export function postOf(changes: Partial<Post> = {}): Post {
  return {
    id: '019a0000-0000-7000-8000-0000000000a1',
    content: 'Note submissions close on Friday.',
    imageUrl: null,
    createdAt: new Date(Date.now() - 2 * 3_600_000).toISOString(),
    user: priya,
    likes: [],
    likeCount: 0,
    commentCount: 0,
    comments: [],
    community: null,
    editedAt: null,
    image: null,
    pictures: [],
    pdf: null,
    title: null,
    videoUrl: null,
    shareCount: 0,
    repost: null,
    mentions: [],
    ...changes,
  };
}

export function commentOf(content: string, id = `019a0000-0000-7000-8000-0000000000c${content.length % 10}`) {
  const createdAt = new Date().toISOString();
  const counts = { replyTo: null, replyCount: 0, likes: [], likeCount: 0, mentions: [] };
  return { id, postId: postOf().id, content, createdAt, editedAt: null, user: priya, ...counts } as Comment;
}

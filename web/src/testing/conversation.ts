// A fake of the comments on one post: pages of two, replies, likes, and a record of the changes.
import { HttpResponse, http } from 'msw';
import type { Comment, MemberLike, ReactionType, User } from '@/api/schema.gen';
import { commentOf, postOf, priya } from './posts';
import { problem, server } from './server';

interface FakeConversation {
  /** The stored comments and replies, oldest first; a test may change them. */
  comments: Comment[];
  /** The bodies of new comments, and the likes as text. */
  sent: unknown[];
}

/** The nth comment or reply of Priya. */
export const nth = (n: number, changes: Partial<Comment> = {}): Comment => ({
  ...commentOf(`Comment ${n}`, `019a0000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`),
  ...changes,
});

const pageSize = 2;

/** Serves a post of Priya with these comments; `me` is the author of new ones. */
export function fakeConversation(me: User, ...comments: Comment[]): FakeConversation {
  const fake: FakeConversation = { comments, sent: [] };
  const find = (id: unknown) => fake.comments.find((comment) => comment.id === id);
  const below = (id: string | null) => fake.comments.filter(({ replyTo }) => replyTo === id);
  const shown = (comment: Comment) => ({ ...comment, replyCount: below(comment.id).length });
  const likesOf = (comment: Comment, type: ReactionType | null): Comment => ({
    ...comment,
    likes: type ? [{ userId: me.id, type }] : [],
    likeCount: comment.likeCount + Number(type !== null) - comment.likes.length,
  });
  const setLike = (id: unknown, type: ReactionType | null) => {
    fake.comments = fake.comments.map((comment) => (comment.id === id ? likesOf(comment, type) : comment));
  };
  const page = <Item>(items: Item[], next: string | null) =>
    HttpResponse.json(items, { headers: next ? { Link: `<${next}>; rel="next"` } : {} });
  const post = () =>
    postOf({
      commentCount: fake.comments.length,
      comments: below(null).slice(-3).map(shown),
    });

  server.use(
    http.get('/api/posts', () => HttpResponse.json([post()])),
    http.get('/api/posts/:id', () => HttpResponse.json(post())),
    http.get('/api/posts/:id/comments', ({ request }) => {
      const all = below(null).map(shown);
      const end = Number(new URL(request.url).searchParams.get('cursor') ?? all.length);
      const start = Math.max(0, end - pageSize);
      return page(all.slice(start, end), start > 0 ? `/api/posts/p/comments?cursor=${start}` : null);
    }),
    http.get<{ id: string }>('/api/comments/:id/replies', ({ request, params }) => {
      const all = below(params.id).map(shown);
      const start = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      const end = start + pageSize;
      return page(
        all.slice(start, end),
        end < all.length ? `/api/comments/${params.id}/replies?cursor=${end}` : null,
      );
    }),
    http.get('/api/comments/:id', ({ params }) => {
      const comment = find(params.id);
      return comment ? HttpResponse.json(shown(comment)) : problem(404, { error: 'Comment not found' });
    }),
    http.post<never, { content: string; replyTo?: string }>(
      '/api/posts/:id/comments',
      async ({ request }) => {
        const body = await request.json();
        fake.sent.push(body);
        const { id, fullName, headline, avatarUrl } = me;
        const replyTo = find(body.replyTo)?.replyTo ?? body.replyTo ?? null;
        const user = { id, fullName, headline, avatarUrl };
        const made = nth(fake.comments.length + 50, { content: body.content, user, replyTo });
        fake.comments = [...fake.comments, made];
        return HttpResponse.json(made, { status: 201 });
      },
    ),
    http.post<{ id: string }, { type: ReactionType }>(
      '/api/comments/:id/likes',
      async ({ params, request }) => {
        const { type } = await request.json();
        fake.sent.push(`${type} ${params.id}`);
        setLike(params.id, type);
        return HttpResponse.json({ userId: me.id, type, likeCount: find(params.id)?.likeCount });
      },
    ),
    http.delete('/api/comments/:id/likes', ({ params }) => {
      fake.sent.push(`UNLIKE ${params.id}`);
      setLike(params.id, null);
      return HttpResponse.json({ likeCount: find(params.id)?.likeCount });
    }),
  );
  return fake;
}

/** A reaction of Priya with the card of its member. */
export const memberLikeOf = (changes: Partial<MemberLike> = {}): MemberLike => ({
  userId: priya.id,
  type: 'like',
  user: priya,
  ...changes,
});

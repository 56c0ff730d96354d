// The keys that move through the posts on screen, or the rows of another list, and act on the focused one.

const items = 'article[data-post], [data-key-item]';

const postsOnScreen = () => [...document.querySelectorAll<HTMLElement>(`main :is(${items})`)];

const focusedPost = () => document.activeElement?.closest<HTMLElement>(items) ?? null;

/** Focuses the next (1) or the previous (-1) post; without a focused one, starts at the first post in the window. */
export function movePostFocus(step: 1 | -1): void {
  const posts = postsOnScreen();
  const focused = focusedPost();
  const at = focused ? posts.indexOf(focused) + step : firstInWindow(posts) + Math.min(step, 0);
  const post = posts[Math.max(0, at)];
  if (!post) return;
  post.focus({ preventScroll: true });
  // Below the header: `scroll-padding-top` in tokens.css.
  post.scrollIntoView({ block: 'start' });
}

/** The index of the first post that begins in the window, else the last one above it. */
function firstInWindow(posts: HTMLElement[]): number {
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const at = posts.findIndex((post) => post.getBoundingClientRect().top >= header);
  return at === -1 ? Math.max(0, posts.length - 1) : at;
}

/** Opens the page of the focused post by the link of its time. */
export function openFocusedPost(): void {
  focusedPost()?.querySelector<HTMLElement>('header a[href^="/posts/"]')?.click();
}

/** Presses the button of an action in the focused post. */
export function actOnFocusedPost(action: 'like' | 'comment'): void {
  const post = focusedPost();
  const button = post?.querySelector<HTMLElement>(`[data-shortcut="${action}"]`);
  if (action === 'comment' && button?.getAttribute('aria-expanded') === 'true')
    post?.querySelector('textarea')?.focus();
  else button?.click();
}

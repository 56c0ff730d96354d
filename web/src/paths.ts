// Every address of the client, built in one place.

const id = (value: string) => encodeURIComponent(value);

export const paths = {
  home: '/',
  auth: '/auth',
  register: '/auth?register=true',
  forgotPassword: '/forgot-password',
  profile: (userId: string) => `/profile/${id(userId)}`,
  network: '/network',
  jobs: '/jobs',
  job: (jobId: string) => `/jobs/${id(jobId)}`,
  news: '/legal-news',
  article: (articleId: string) => `/legal-news/${id(articleId)}`,
  resources: '/resources',
  resource: (resourceId: string) => `/resources/${id(resourceId)}`,
  search: (query?: string) => (query ? `/search?q=${encodeURIComponent(query)}` : '/search'),
  messages: '/messages',
  thread: (conversationId: string) => `/messages/${id(conversationId)}`,
  post: (postId: string) => `/posts/${id(postId)}`,
  communities: '/communities',
  community: (communityId: string) => `/communities/${id(communityId)}`,
  events: '/events',
  event: (eventId: string) => `/events/${id(eventId)}`,
  savedItems: '/saved-items',
  settings: '/settings',
  notifications: '/notifications',
  status: '/status',
  about: '/about',
  privacy: '/privacy',
  terms: '/terms',
  cookies: '/cookies',
  copyright: '/copyright',
  brand: '/brand',
  test: '/test',
} as const;

/** http(s), then a host at once: no userinfo, no backslash that a browser would read as a slash. */
const plainWebAddress = /^https?:\/\/[^/?#\\@]+(?=[/?#]|$)/i;

/**
 * An address outside Portia as a link may carry it, by the server's rule: http(s) without userinfo, and nothing in it that
 * cannot be seen. The server lets no other in; this is the second lock.
 */
export function webAddress(url: string | null): string | null {
  if (!url || url.length > 2_048 || /[\p{Cc}\p{Cf}\s]/u.test(url)) return null;
  return plainWebAddress.test(url) && URL.canParse(url) ? url : null;
}

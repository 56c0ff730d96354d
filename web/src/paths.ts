// Every address of the client.

const id = (value: string) => encodeURIComponent(value);

export const paths = {
  home: '/',
  auth: '/auth',
  register: '/auth?register=true',
  forgotPassword: '/forgot-password',
  profile: (userId: string) => `/profile/${id(userId)}`,
  network: '/network',
  requests: '/network?tab=requests',
  jobs: '/jobs',
  applications: '/jobs?tab=applications',
  job: (jobId: string) => `/jobs/${id(jobId)}`,
  news: '/legal-news',
  article: (articleId: string) => `/legal-news/${id(articleId)}`,
  resources: '/resources',
  resource: (resourceId: string) => `/resources/${id(resourceId)}`,
  search: (query?: string, type?: string) =>
    query ? `/search?q=${id(query)}${type && type !== 'people' ? `&type=${type}` : ''}` : '/search',
  messages: '/messages',
  thread: (conversationId: string) => `/messages/${id(conversationId)}`,
  post: (postId: string) => `/posts/${id(postId)}`,
  /** The page of the post, at the comment. */
  comment: (postId: string, commentId: string) => `/posts/${id(postId)}?comment=${id(commentId)}`,
  communities: '/communities',
  community: (communityId: string) => `/communities/${id(communityId)}`,
  communityManage: (communityId: string) => `/communities/${id(communityId)}?tab=manage`,
  topics: '/topics',
  /** In lower case, without `#`. */
  topic: (topic: string) => `/topics/${id(topic)}`,
  events: '/events',
  event: (eventId: string) => `/events/${id(eventId)}`,
  savedItems: '/saved-items',
  settings: '/settings',
  /** The sessions and trusted browsers in the settings. */
  security: '/settings#security',
  /** The kinds of notifications in the settings. */
  notificationSettings: '/settings#notifications',
  privacySettings: '/settings/privacy',
  feedSettings: '/settings/feed',
  /** The onboarding, at its first open step or at a given one. */
  welcome: (step?: string) => (step ? `/welcome?step=${step}` : '/welcome'),
  notifications: '/notifications',
  moderation: '/moderation',
  schoolMembers: '/school/members',
  /** A removed item of the member, and the appeal. */
  appeal: (removalId: string) => `/appeals/${id(removalId)}`,
  status: '/status',
  about: '/about',
  privacy: '/privacy',
  terms: '/terms',
  cookies: '/cookies',
  copyright: '/copyright',
  brand: '/brand',
  test: '/test',
} as const;

/** The navigation options of `paths.search()` that focus the field of the search screen. */
export const searchFieldFocused = { state: { focusField: true } };

// A plain script that runs before the client's code has loaded (vite-preload.ts fills in `__SCREENS__` and adds it to the page).
// It requests the session, and the code, texts and first data of the current screen. The client takes the responses from
// `portiaPreloaded` (src/api/preloaded.ts) and requests everything else itself.
{
  const { files, landing, feed, member, screens } = __SCREENS__;
  const { pathname, search } = location;

  // Like src/i18n/language-detector.ts.
  let chosen = '';
  try {
    chosen = localStorage.getItem('i18nextLng') ?? '';
  } catch {
    // Storage is forbidden.
  }
  const language =
    [chosen, ...navigator.languages]
      .map((tag) => tag.toLowerCase().split(/[-_]/)[0].replace(/^tl$/, 'fil'))
      .find((tag) => tag === 'en' || tag === 'fil') ?? 'en';

  const preload = (needed) => {
    for (const nr of needed) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.crossOrigin = '';
      // Lower priority than the style sheet and the client, which draw the layout.
      link.fetchPriority = 'low';
      link.href = `/assets/${files[nr].replace(/^texts-en/, `texts-${language}`)}`;
      document.head.append(link);
    }
  };

  const answers = new Map();
  window.portiaPreloaded = answers;
  // The responses do not contain later changes.
  setTimeout(() => answers.clear(), 10_000);
  const ask = (path) => {
    // Reads the whole body, also of unused responses: an unread response blocks one of the browser's six connections.
    const answer = fetch(path, { credentials: 'include' }).then(async (response) => {
      const { status, statusText, headers } = response;
      const body = await response.arrayBuffer();
      return new Response(status === 204 ? null : body, { status, statusText, headers });
    });
    // The consumer of the response handles the error.
    answer.catch(() => undefined);
    answers.set(path, answer);
    return answer;
  };

  const me = ask('/api/auth/me');
  const isHome = pathname === '/';
  const [, profile] = /^\/profile\/([\w-]+)\/?$/.exec(pathname) ?? [];
  // Filters in the address select another list.
  const lists = search
    ? []
    : ({
        '/jobs': ['/api/jobs', '/api/jobs/stats/overview'],
        '/legal-news': ['/api/news?page=1', '/api/news/sources/list'],
      }[pathname.replace(/\/$/, '')] ?? []);
  const first = profile ? [`/api/users/${profile}/profile`, `/api/posts?userId=${profile}`] : lists;

  if (!isHome) {
    const screen = screens.find(([pattern]) => new RegExp(`^/${pattern}/?$`).test(pathname));
    if (screen) preload(screen[1]);
    first.forEach(ask);
  }

  me.then(async (answer) => {
    const user = answer.ok ? await answer.clone().json() : null;
    if (isHome) preload(user ? feed : landing);
    if (!user) return;
    preload(member);
    const own = `/api/users/${user.id}`;
    const chosen = localStorage.getItem(`portia-feed:${user.id}`);
    const home = [
      `/api/posts?${chosen ? `feed=${chosen}` : `sort=${localStorage.getItem('portia-feed-sort') ?? 'relevant'}`}`,
      `${own}/profile`,
      '/api/communities',
      `${own}/suggestions`,
      '/api/events',
      '/api/resources',
    ];
    if (isHome) home.forEach(ask);
    // Screens with cards show which items are saved.
    if (isHome || first.length > 0) ask('/api/saved-items/ids');
    ask('/api/unread');
  }).catch(() => undefined);
}

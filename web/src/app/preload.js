// Runs before the client's own code has come, as a plain script (vite-preload.ts fills in `__SCREENS__` and names it in the page): asks
// who is signed in, and for the code, the texts and the first answers of the screen of this address. The client takes the
// answers from `portiaPreloaded` (src/api/preloaded.ts); what is missing there it asks for itself.
{
  const { files, landing, feed, member, screens } = __SCREENS__;
  const { pathname, search } = location;

  const preload = (needed) => {
    for (const nr of needed) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.crossOrigin = '';
      // After the style sheet and the client itself, which draws the frame.
      link.fetchPriority = 'low';
      link.href = `/assets/${files[nr]}`;
      document.head.append(link);
    }
  };

  const answers = new Map();
  window.portiaPreloaded = answers;
  // A later change is not in these responses.
  setTimeout(() => answers.clear(), 10_000);
  const ask = (path) => {
    // Read to the end, also when unused: an unread response keeps one of the browser's six connections.
    const answer = fetch(path, { credentials: 'include' }).then(async (response) => {
      const { status, statusText, headers } = response;
      const body = await response.arrayBuffer();
      return new Response(status === 204 ? null : body, { status, statusText, headers });
    });
    // Who takes it hears that it failed.
    answer.catch(() => undefined);
    answers.set(path, answer);
    return answer;
  };

  const me = ask('/api/auth/me');
  const isHome = pathname === '/';
  const [, profile] = /^\/profile\/([\w-]+)\/?$/.exec(pathname) ?? [];
  // With filters in the address it is another list.
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
    const home = [
      '/api/posts?sort=relevant',
      `${own}/profile`,
      '/api/communities',
      `${own}/suggestions`,
      '/api/events',
      '/api/resources',
    ];
    if (isHome) home.forEach(ask);
    // What is marked as saved, where there are cards.
    if (isHome || first.length > 0) ask('/api/saved-items/ids');
    ask('/api/unread');
  }).catch(() => undefined);
}

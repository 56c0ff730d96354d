// A plain script that runs before the client's code has loaded (vite-preload.ts fills in `__SCREENS__` and adds it to the page).
// It requests the session, and the code, texts and first data of the current screen. The client takes the responses from
// `portiaPreloaded` (src/api/preload-cache.ts) and requests everything else itself.
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
      const isFont = /\.woff2$/.test(files[nr]);
      link.rel = isFont ? 'preload' : 'modulepreload';
      if (isFont) link.as = 'font';
      link.crossOrigin = '';
      // Lower priority than the style sheet and the client, which draw the layout.
      link.fetchPriority = 'low';
      link.href = `/assets/${files[nr].replace(/^texts-en/, `texts-${language}`)}`;
      document.head.append(link);
    }
  };

  // After a sign-out without a network, no request uses the session before the client has completed it.
  let isLeaving = false;
  try {
    isLeaving = localStorage.getItem('portia-signed-out') !== null;
  } catch {
    // Storage is forbidden.
  }

  const answers = new Map();
  window.portiaPreloaded = answers;
  // The responses do not contain later changes.
  setTimeout(() => answers.clear(), 10_000);
  const ask = (path) => {
    if (isLeaving) return new Promise(() => undefined);
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
  const isPhone = !matchMedia('(min-width: 48rem)').matches;
  const [, profile] = /^\/profile\/([\w-]+)\/?$/.exec(pathname) ?? [];

  /** The address of a search; the client's Request encodes it like this. */
  const found = () => {
    const asked = new URLSearchParams(search);
    const q = (asked.get('q') ?? '').trim();
    const [type] = /^(posts|communities|resources|jobs|news)$/.exec(asked.get('type')) ?? ['people'];
    const address = new URL(`/api/search?q=${encodeURIComponent(q)}&type=${type}`, location.origin);
    return q ? [address.pathname + address.search] : [];
  };
  const lists = {
    '/jobs': ['/api/jobs', '/api/jobs/stats/overview'],
    '/legal-news': ['/api/news?page=1', '/api/news/sources/list'],
  };
  const screenPath = pathname.replace(/\/$/, '');
  // Filters in the address select another list.
  const listed = screenPath === '/search' ? found() : search ? [] : (lists[screenPath] ?? []);
  const first = profile ? [`/api/users/${profile}/profile`, `/api/posts?userId=${profile}`] : listed;

  if (!isHome) {
    const screen = screens.find(([pattern]) => new RegExp(`^/${pattern}/?$`).test(pathname));
    if (screen) preload(screen[1]);
    first.forEach(ask);
  }

  // Once for each address: the client may have used the response already.
  const sent = new Set();
  const askOnce = (path) => {
    if (!sent.has(path)) ask(path);
    sent.add(path);
  };
  const postsOf = (member) => {
    const feed = localStorage.getItem(`portia-feed:${member}`);
    return `/api/posts?${feed ? `feed=${feed}` : `sort=${localStorage.getItem(`portia-feed-sort:${member}`) ?? 'relevant'}`}`;
  };
  /** What a member needs whose id is not known yet. */
  const askForMember = () => {
    preload(member);
    // Screens with cards show which items are saved.
    if (isHome || first.length > 0) askOnce('/api/saved-items/ids');
    askOnce('/api/unread');
  };

  // The gateway writes whether the request of the page had a session cookie: `yes` or `no`. The session may have ended.
  const session = isLeaving ? 'no' : document.documentElement.dataset.session;
  if (isHome && session === 'no') preload(landing);
  if (session === 'yes')
    try {
      if (isHome) {
        preload(feed);
        const members = Object.keys(localStorage).flatMap(
          (key) => /^portia-feed(?:-sort)?:(.+)/.exec(key)?.[1] ?? [],
        );
        // With the choices of several members it waits for the session.
        if (new Set(members).size < 2) askOnce(postsOf(members[0]));
      }
      askForMember();
    } catch {
      // Storage is forbidden.
    }

  me.then(async (answer) => {
    const user = answer.ok ? await answer.clone().json() : null;
    if (isHome && session !== (user ? 'yes' : 'no')) preload(user ? feed : landing);
    if (!user) return;
    if (isHome) askOnce(postsOf(user.id));
    if (session !== 'yes') askForMember();
    const own = `/api/users/${user.id}`;
    if (isHome) ask(`${own}/profile`);
    // On a phone they are below the posts, and follow them (features/home/feed.tsx).
    if (isHome && !isPhone)
      ['/api/communities', `${own}/suggestions`, '/api/events', '/api/resources'].forEach(ask);
  }).catch(() => undefined);

  // The first formatter of dates reads the language's data, which takes a phone 80 ms. Now it waits for the code anyway.
  setTimeout(() => new Intl.DateTimeFormat(language, { month: 'short' }).format());
}

// The service worker of members: the files of the client, and its page, without a network; and web push. It does not touch the requests of
// the API: the client itself keeps the data that members read without a network (../api/response-cache.ts), so that a
// page online pays nothing for it.
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkFirst } from 'workbox-strategies';
import './push-events';

declare const self: ServiceWorkerGlobalScope;
/** The files of the build: ../../vite-service-worker.ts. A file with a hash in its name needs no revision. */
declare const FILES: { url: string; revision: string | null }[];

cleanupOutdatedCaches();
precacheAndRoute(FILES);

const pageCache = 'portia-page';
/** One page draws all screens. It is kept with its headers: the security policy names the nonce of this very copy. */
const page = '/';

registerRoute(
  new NavigationRoute(
    new NetworkFirst({
      cacheName: pageCache,
      plugins: [{ cacheKeyWillBeUsed: async () => page }],
    }),
    { denylist: [/^\/(api|media)\//] },
  ),
);

self.addEventListener('install', (event) => {
  // The page that registered this worker came before it.
  event.waitUntil(
    caches
      .open(pageCache)
      .then((cache) => cache.add(page))
      .catch(() => undefined),
  );
});

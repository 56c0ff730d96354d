// Connects pushes to the events of the worker.
import { compose, open, optionsOf, type Page, parsePush } from './push';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.text()));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const opened = pages().then((all) =>
    open(event.notification.data, all, (path) => self.clients.openWindow(path)),
  );
  event.waitUntil(opened);
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event as PushSubscriptionChangeEvent).catch(() => undefined));
});

async function show(text: string | undefined): Promise<void> {
  const [shown, all] = await Promise.all([compose(parsePush(text), read), pages()]);
  await self.registration.showNotification(shown.title, optionsOf(shown, all));
  await countUnread().catch(() => undefined);
}

const pages = () =>
  self.clients.matchAll({ type: 'window', includeUncontrolled: true }) as Promise<readonly Page[]>;

/**
 * A response must arrive soon: browsers stop a worker that shows nothing. Copies of responses exist while a member is signed in, and
 * not on a shared computer; without them, the cookie may be of a member who signed out without a network, and is not used.
 */
async function read(path: string): Promise<unknown> {
  if (!(await caches.keys()).some((name) => name.startsWith('portia-kept:'))) throw new Error('signed out');
  const response = await fetch(path, { credentials: 'same-origin', signal: AbortSignal.timeout(8_000) });
  // The session has ended: this plain notification is the last one.
  if (response.status === 401) await (await self.registration.pushManager.getSubscription())?.unsubscribe();
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

/** The badge of the installed app, as pages count it. */
async function countUnread(): Promise<void> {
  const { messages, notifications } = (await read('/api/unread')) as {
    messages: number;
    notifications: number;
  };
  await self.navigator.setAppBadge?.(messages + notifications);
}

interface PushSubscriptionChangeEvent extends ExtendableEvent {
  newSubscription?: PushSubscription | null;
  oldSubscription?: PushSubscription | null;
}

/** The browser replaced its subscription: the new one gets the choices of the old one. */
async function renew({ newSubscription, oldSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const settings = (await read('/api/push')) as {
    subscriptions: { browser: string; language: string; topics: string[]; isCurrentSession: boolean }[];
  };
  const old = settings.subscriptions.find(({ isCurrentSession }) => isCurrentSession);
  if (!old) return;
  const subscription =
    newSubscription ??
    (oldSubscription && (await self.registration.pushManager.subscribe(oldSubscription.options)));
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  const { browser, language, topics } = old;
  await fetch('/api/push/subscriptions', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth, browser, language, topics }),
  });
}

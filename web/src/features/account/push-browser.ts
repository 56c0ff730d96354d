// The push subscription of this browser: support, permission, subscribing.
import { api, read } from '@/api/client';
import { deviceOwner } from '@/api/device-owner';
import type { PushSubscription as PushSubscriptionView, PushTopic } from '@/api/schema.gen';
import { browserName } from './browser-name';

export const topics: readonly PushTopic[] = ['messages', 'connections', 'posts', 'reminders'];

/**
 * `install`: an iPhone or iPad, where only the installed app gets notifications. `shared`: the next person must get none, also
 * when the session ended with the browser.
 */
export type PushSupport = 'supported' | 'unsupported' | 'install' | 'shared';

export function pushSupport(): PushSupport {
  if (!deviceOwner()) return 'shared';
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported';
  // An iPad claims to be a Mac; no Mac has several touch points.
  const { userAgent, maxTouchPoints } = navigator;
  const isApple =
    /\b(?:iPhone|iPad)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1);
  return isApple ? 'install' : 'unsupported';
}

/** Null without a subscription, or without permission. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  if (pushSupport() !== 'supported' || Notification.permission !== 'granted') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The member does not allow notifications. */
export class NotAllowed extends Error {}

/** Asks for permission and subscribes this browser; call it from a press. */
export async function subscribe(
  publicKey: string,
  wanted: readonly PushTopic[],
  language: string,
): Promise<PushSubscriptionView> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed();
  await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = bytes(publicKey);
  const old = await pushManager.getSubscription();
  // A subscription with the key of another installation cannot be used.
  if (old && !isSame(old.options?.applicationServerKey, key)) await old.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const body = {
    endpoint,
    p256dh,
    auth,
    topics: [...wanted],
    browser: nameOfThisBrowser(),
    language: language === 'fil' ? ('fil' as const) : ('en' as const),
  };
  return read(api.POST('/api/push/subscriptions', { body }));
}

/** Ends the subscription here first: the server drops what no browser receives. */
export async function unsubscribe(id: string): Promise<void> {
  await (await currentSubscription())?.unsubscribe();
  await remove(id);
}

export const remove = (id: string) =>
  read(api.DELETE('/api/push/subscriptions/{id}', { params: { path: { id } } }));

/** As the list shows it: `Firefox · Linux`, which `browserLabel` in the section translates. */
function nameOfThisBrowser(): string {
  const name = browserName(navigator.userAgent);
  return [name?.browser, name?.system].filter(Boolean).join(' · ') || '?';
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSame(one: ArrayBuffer | null | undefined, other: Uint8Array): boolean {
  if (!one) return true;
  const left = new Uint8Array(one);
  return left.length === other.length && left.every((byte, index) => byte === other[index]);
}

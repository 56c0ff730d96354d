// Registers the service worker of members a while after their first page, when nothing else is loading.
import { deviceOwner } from '@/api/device-owner';

/** Milliseconds after the controls of a member appeared. */
const quiet = 5_000;

/** Returns a function that gives up. Only in a build, because Vite's own server has no worker, and not on a shared computer. */
export function registerServiceWorker(member: string): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || deviceOwner() !== member)
    return () => undefined;
  const timer = setTimeout(() => {
    // Forbidden storage or a failed download: the client works without it.
    navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
  }, quiet);
  return () => clearTimeout(timer);
}

/** Goes where a pressed notification leads: the worker focuses this page and names the path. Returns a function that stops. */
export function followNotifications(go: (path: string) => void): () => void {
  const worker = navigator.serviceWorker;
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    const path = (data as { open?: unknown } | null)?.open;
    if (typeof path === 'string' && /^\/(?![/\\])/.test(path)) go(path);
  };
  worker?.addEventListener('message', onMessage);
  return () => worker?.removeEventListener('message', onMessage);
}

// Registers the service worker of members a while after their first page, when nothing else is loading.

/** Milliseconds after the controls of a member appeared. */
const quiet = 5_000;

/** Returns a function that gives up. Only in a build: Vite's own server has no worker. */
export function registerServiceWorker(): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined;
  const timer = setTimeout(() => {
    // Forbidden storage or a failed download: the client works without it.
    navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
  }, quiet);
  return () => clearTimeout(timer);
}

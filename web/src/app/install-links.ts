// The links for installing the client as an app: the manifest and the icon of Apple's systems. Added some time after the page
// has loaded, because a browser fetches the manifest and its icon at once, before the first data of a screen.

/** Milliseconds after the page has loaded. */
const quiet = 3_000;

const links = [
  ['manifest', '/manifest.webmanifest'],
  ['apple-touch-icon', '/brand/app-192.png'],
] as const;

export function addInstallLinks(): void {
  const add = () => {
    for (const [rel, href] of links)
      document.head.append(Object.assign(document.createElement('link'), { rel, href }));
  };
  window.addEventListener('load', () => setTimeout(add, quiet), { once: true });
}

// The links for installing the client as an app: the manifest in the language of the page, and the icon of Apple's systems. Added some time after the page
// has loaded, because a browser fetches the manifest and its icon at once, before the first data of a screen.

/** Milliseconds after the page has loaded. */
const quiet = 3_000;

export function addInstallLinks(): void {
  const add = () => {
    for (const [rel, href] of [
      ['manifest', `/manifest-${document.documentElement.lang}.webmanifest`],
      ['apple-touch-icon', '/brand/app-192.png'],
    ])
      document.head.append(Object.assign(document.createElement('link'), { rel, href }));
  };
  window.addEventListener('load', () => setTimeout(add, quiet), { once: true });
}

// The theme: light, dark or the system's. src/app/theme.js reads the stored choice before the first paint.
import { useSyncExternalStore } from 'react';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'portia-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: Theme = stored();

function stored(): Theme {
  try {
    const value = localStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto';
  }
}

function paint() {
  const dark = chosen === 'dark' || (chosen === 'auto' && system.matches);
  document.documentElement.classList.toggle('dark', dark);
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#131a29' : '#ffffff');
}

system.addEventListener('change', paint);

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  try {
    if (theme === 'auto') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
  }
  paint();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );
}

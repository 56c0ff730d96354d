// The texts of a component in the language of the screen, drawn anew when that changes. react-i18next's own hook copies the whole
// of i18next for each component: on a phone that was a tenth of the time a screen of posts takes.
import i18next, { type i18n, type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { Texts } from './texts';

type Features = keyof Texts | readonly [keyof Texts, ...(keyof Texts)[]];

const listeners = new Set<() => void>();
let heard = false;

function tellAll(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // One listener of i18next's for all components; it is there for good.
  if (!heard) i18next.on('languageChanged', tellAll);
  heard = true;
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const language = () => i18next.language;

/** One for each language and feature, so that it can be depended on. */
const known = new Map<string, TFunction<never>>();

/** Keys are those of the first feature; those of another one are named with it, as in `shell:error`. */
export function useTranslation<const Named extends Features = 'shell'>(
  features: Named = 'shell' as Named,
): { t: TFunction<Named>; i18n: i18n } {
  const spoken = useSyncExternalStore(subscribe, language);
  const first = typeof features === 'string' ? features : features[0];
  const name = `${spoken} ${first}`;
  let t = known.get(name);
  if (!t) {
    t = i18next.getFixedT(spoken, first) as TFunction<never>;
    known.set(name, t);
  }
  return { t: t as unknown as TFunction<Named>, i18n: i18next };
}

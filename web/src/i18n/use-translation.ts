// The translation hook; it renders again when the language changes. The hook of react-i18next copies all of i18next for
// each component: on a phone that was a tenth of the render time of a screen with posts.
import i18next, { type i18n, type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { Texts } from './texts';

type Features = keyof Texts | readonly [keyof Texts, ...(keyof Texts)[]];

const listeners = new Set<() => void>();
let isListening = false;

function notifyAll(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // One permanent i18next listener for all components.
  if (!isListening) i18next.on('languageChanged', notifyAll);
  isListening = true;
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const language = () => i18next.language;

/** One function per language and feature, so that it is stable. */
const known = new Map<string, TFunction<never>>();

/** Keys belong to the first feature; keys of another one have its prefix, as in `shell:error`. */
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

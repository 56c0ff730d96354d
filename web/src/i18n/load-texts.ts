// Loads the texts of features as code, both languages at once, when a screen needs them.
import i18next from 'i18next';
import { addTexts, languages } from './i18n';
import type { Texts } from './texts';

const files = import.meta.glob<object>(['../locales/*/*.json', '!../locales/*/{shell,landing}.json'], {
  import: 'default',
});

export async function loadTexts(...features: (keyof Texts)[]): Promise<void> {
  const missing = features.filter(
    (feature) => !languages.every((language) => i18next.hasResourceBundle(language, feature)),
  );
  await Promise.all(
    missing.map(async (feature) => {
      const [en = {}, fil = {}] = await Promise.all(
        languages.map((language) => files[`../locales/${language}/${feature}.json`]?.()),
      );
      addTexts(feature, { en, fil });
    }),
  );
}

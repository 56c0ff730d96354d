// Loads the texts of features when a screen needs them, in the language of the member.
import i18next from 'i18next';
import type { Language } from './i18n';
import { readTexts } from './text-files';
import type { Texts } from './texts';

/** The features that this page has shown. */
const used = new Set<keyof Texts>();

export async function loadTexts(...features: (keyof Texts)[]): Promise<void> {
  for (const feature of features) used.add(feature);
  await load(i18next.language as Language, features);
}

/** A module that is being imported, once its texts have loaded too. */
export async function withTexts<Module>(
  module: Promise<Module>,
  ...features: (keyof Texts)[]
): Promise<Module> {
  const [loaded] = await Promise.all([module, loadTexts(...features)]);
  return loaded;
}

/** Changes the language after its texts have loaded; rejects and changes nothing when they do not. */
export async function changeLanguage(language: Language): Promise<void> {
  let loaded = 0;
  // A screen may ask for texts meanwhile.
  while (loaded < used.size) {
    loaded = used.size;
    await load(language, [...used]);
  }
  await i18next.changeLanguage(language);
}

async function load(language: Language, features: (keyof Texts)[]): Promise<void> {
  await Promise.all(
    features
      .filter((feature) => !i18next.hasResourceBundle(language, feature))
      .map(async (feature) => {
        i18next.addResourceBundle(language, feature, await readTexts(language, feature));
      }),
  );
}

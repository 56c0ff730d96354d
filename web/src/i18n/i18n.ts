// Language setup: English and Filipino, bundled as code (specification, sections 2 and 9).
import i18next, { type i18n } from 'i18next';
import shellEn from '../locales/en/shell.json';
import shellFil from '../locales/fil/shell.json';
import { formatNumber } from './format-number';
import { languageDetector } from './language-detector';
import type { Texts } from './texts';

export const languages = ['en', 'fil'] as const;
export type Language = (typeof languages)[number];

/** The names in the language switcher, the same in both languages. */
export const languageNames: Record<Language, string> = { en: 'English', fil: 'Filipino' };
export function addTexts(feature: keyof Texts, texts: Record<Language, object>): void {
  for (const language of languages) i18next.addResourceBundle(language, feature, texts[language]);
}

export function startI18n(): i18n {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  void i18next.use(languageDetector).init({
    resources: { en: { shell: shellEn }, fil: { shell: shellFil } },
    supportedLngs: languages,
    fallbackLng: 'en',
    ns: ['shell'],
    defaultNS: 'shell',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  // `{{count, number}}`: the built-in formatter is created for each text, which is slow.
  i18next.services.formatter?.add('number', (value: number, language) =>
    formatNumber(language ?? 'en', value),
  );
  return i18next;
}

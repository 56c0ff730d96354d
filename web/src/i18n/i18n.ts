// Language setup: English and Filipino, bundled with the page and never fetched as data (specification, sections 2 and 9).
import i18next, { type i18n } from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import shellEn from '../locales/en/shell.json';
import shellFil from '../locales/fil/shell.json';
import type { Texts } from './texts';

export const languages = ['en', 'fil'] as const;
export type Language = (typeof languages)[number];

/** The names as the switcher shows them, the same in both languages. */
export const languageNames: Record<Language, string> = { en: 'English', fil: 'Filipino' };

/** Puts a feature's texts, in both languages, beside the shell's. */
export function addTexts(feature: keyof Texts, texts: Record<Language, object>): void {
  for (const language of languages) i18next.addResourceBundle(language, feature, texts[language]);
}

/** `tl` is how older systems say Filipino; a region changes nothing here. */
function convertDetectedLanguage(detected: string): string {
  const language = detected.toLowerCase().split(/[-_]/)[0] ?? '';
  return language === 'tl' ? 'fil' : language;
}

export function startI18n(): i18n {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  void i18next.use(LanguageDetector).init({
    resources: { en: { shell: shellEn }, fil: { shell: shellFil } },
    supportedLngs: languages,
    fallbackLng: 'en',
    ns: ['shell'],
    defaultNS: 'shell',
    initAsync: false,
    interpolation: { escapeValue: false },
    detection: {
      order: ['localStorage', 'navigator', 'htmlTag'],
      caches: ['localStorage'],
      convertDetectedLanguage,
    },
  });
  return i18next;
}

// The language of the member: the choice stored in this browser, then the browser's languages, then the page's language
// (specification, section 9). The library i18next-browser-languagedetector does the same in 1.6 kB of the landing page.
import type { LanguageDetectorModule } from 'i18next';

const storageKey = 'i18nextLng';

/** Older systems use `tl` for Filipino; the region is ignored. */
function convert(detected: string): string {
  const language = detected.toLowerCase().split(/[-_]/)[0] ?? '';
  return language === 'tl' ? 'fil' : language;
}

/** i18next selects the first one that it supports. */
export const languageDetector: LanguageDetectorModule = {
  type: 'languageDetector',
  detect: () =>
    [stored(), ...navigator.languages, document.documentElement.lang].map(convert).filter(Boolean),
  cacheUserLanguage: (language) => {
    try {
      localStorage.setItem(storageKey, language);
    } catch {
      // Storage can be forbidden; the language is then detected at every visit.
    }
  },
};

function stored(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

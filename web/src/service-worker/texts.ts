// The texts of notifications without i18next, which is larger than this worker.
import enNotifications from '../locales/en/notifications.json';
import enPush from '../locales/en/push.json';
import filNotifications from '../locales/fil/notifications.json';
import filPush from '../locales/fil/push.json';

export type Language = 'en' | 'fil';

const texts = {
  en: { notifications: enNotifications, push: enPush },
  fil: { notifications: filNotifications, push: filPush },
};

/** Returns a function like i18next's `t`: keys with dots, `{{value}}`, and the plural of `count`. */
export function translator(language: Language, feature: 'notifications' | 'push') {
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (key: string, values: Record<string, string | number> = {}): string => {
    const { count } = values;
    const named = typeof count === 'number' ? `${key}_${plural.select(count)}` : key;
    const text = find(texts[language][feature], named) ?? find(texts[language][feature], key) ?? '';
    return text.replace(/{{(\w+)(?:, number)?}}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? number.format(value) : value;
    });
  };
}

function find(texts: unknown, key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], texts);
  return typeof found === 'string' ? found : undefined;
}

// Messages of forms: zod yields keys (with their numbers), the screen turns them into the sentence of its language.

import * as z from 'zod/mini';
import { useTranslation } from '@/i18n/use-translation';

/** A validation message before it is translated: `<namespace>:<key>`, then its values as JSON. */
function message(key: string, values?: Record<string, string>): string {
  return values ? `${key} ${JSON.stringify(values)}` : key;
}

/** At most so many characters, counted as the server counts: one outside the basic plane is one. */
export const atMost = (maximum: number) =>
  z.refine<string>((text) => [...text].length <= maximum, {
    error: message('forms:tooLong', { maximum: String(maximum) }),
  });

/** Turns a message of this file, or a plain key, into a sentence. What is no key, such as the server's own words, stays. */
export function useFormText(): (text: string | undefined) => string | undefined {
  const { i18n } = useTranslation();
  return (text) => {
    const [, key, values] = /^(\w+:[\w.]+)(?: (\{.*\}))?$/.exec(text ?? '') ?? [];
    // The key is checked where it is written; here it is only a string.
    return key ? String(i18n.t(key as never, values ? JSON.parse(values) : undefined)) : text;
  };
}

/** The generic defaults of the form layer (specification, section 5): used where a schema names no text of its own. */
export function setFormDefaults(): void {
  z.config({ localeError: (issue) => defaultMessage(issue as Issue) });
}

interface Issue {
  code: string;
  input?: unknown;
  origin?: string;
  format?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
}

function defaultMessage(issue: Issue): string {
  const ofText = issue.origin === 'string';
  switch (issue.code) {
    case 'invalid_type':
      return message(
        issue.input === undefined || issue.input === null ? 'forms:required' : 'forms:invalidType',
      );
    case 'too_small':
      if (ofText && issue.minimum === 1) return message('forms:required');
      return message(ofText ? 'forms:tooShort' : 'forms:tooSmall', {
        minimum: String(issue.minimum),
      });
    case 'too_big':
      return message(ofText ? 'forms:tooLong' : 'forms:tooBig', {
        maximum: String(issue.maximum),
      });
    case 'invalid_format':
      return message(issue.format === 'email' ? 'forms:invalidEmail' : 'forms:invalid');
    default:
      return message('forms:invalid');
  }
}

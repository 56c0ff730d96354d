// Form messages: zod yields keys with values, the screen translates them.
import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type RegisterOptions,
  type UseFormReturn,
} from 'react-hook-form';
import * as z from 'zod/mini';
import { useTranslation } from '@/i18n/use-translation';

/** An untranslated validation message: `<namespace>:<key>`, then its values as JSON. */
function message(key: string, values?: Record<string, string>): string {
  return values ? `${key} ${JSON.stringify(values)}` : key;
}

/** A maximum length, counted like on the server: a surrogate pair is one character. */
export const atMost = (maximum: number) =>
  z.refine<string>((text) => [...text].length <= maximum, {
    error: message('forms:tooLong', { maximum: String(maximum) }),
  });

/** Translates a message of this file or a plain key. Any other text, such as a sentence of the server, stays unchanged. */
export function useFormText(): (text: string | undefined) => string | undefined {
  const { i18n } = useTranslation();
  return (text) => {
    const [, key, values] = /^(\w+:[\w.]+)(?: (\{.*\}))?$/.exec(text ?? '') ?? [];
    // The key is typed where it is written; here it is a string.
    return key ? String(i18n.t(key as never, values ? JSON.parse(values) : undefined)) : text;
  };
}

/** The props of a field of a form, with its translated error: `<TextField label={..} {...field('title')} />`. */
export function useFields<Form extends FieldValues>({
  register,
  formState: { errors },
}: Pick<UseFormReturn<Form>, 'register' | 'formState'>) {
  const formText = useFormText();
  return <Name extends Path<Form>>(name: Name, options?: RegisterOptions<Form, Name>) => ({
    error: formText((get(errors, name) as FieldError | undefined)?.message),
    ...register(name, options),
  });
}

/** The default messages (specification, section 5), for schemas without their own text. */
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

// A rough estimate of password strength: length without common patterns, and the lowest for what the server refuses.
import { limits } from '@/api/limits.gen';

export const strengths = ['weak', 'fair', 'good', 'strong'] as const;
export type Strength = (typeof strengths)[number];

/** The most useful advice; `fine` if none is needed. */
export type Advice = 'short' | 'guessable' | 'name' | 'common' | 'pattern' | 'longer' | 'fine';

/** The lengths that the server accepts; the rest is ignored. */
const { min: shortest, max: maxLength } = limits.RegisterRequest.password;

/** The server's criteria for refusing a password. */
interface Refusals {
  minLength: number;
  guessable: boolean;
}

/** Words from lists of leaked passwords, and words of this network's domain. */
const common =
  'password passwort passcode qwerty letmein welcome admin login secret master iloveyou mahal lovely sunshine princess monkey dragon football baseball superman batman shadow freedom whatever trustno hello summer winter spring autumn maganda pogi portia lawyer attorney abogado lawschool barexam justice student'.split(
    ' ',
  );
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Common character substitutions. */
const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};

/** Each guessable range counts as one character; the strength is the sum of these and the other characters. */
export function strengthOf(
  password: string,
  username = '',
  { minLength, guessable }: Refusals = { minLength: shortest, guessable: false },
): { strength: Strength; advice: Advice } {
  const letters = [...password].slice(0, maxLength).map((letter) => letter.toLowerCase());
  if (letters.length < minLength) return { strength: 'weak', advice: 'short' };
  if (guessable) return { strength: 'weak', advice: 'guessable' };

  // One code unit per character, so that text offsets are indexes into `letters`.
  const text = letters.map((letter) => (letter.length === 1 ? letter : '\uFFFD')).join('');
  const undisguised = [...text].map((letter) => disguises[letter] ?? letter).join('');
  const name = username.trim().toLowerCase();
  const names = [name, ...name.split(/[^a-z]+/)].filter((part) => part.length >= 3);
  const found: [Advice, Stretch[]][] = [
    ['name', names.flatMap((part) => occurrences(text, part))],
    ['common', common.flatMap((word) => [...occurrences(text, word), ...occurrences(undisguised, word)])],
    [
      'pattern',
      [
        ...runs(text),
        ...[...text.matchAll(/(?:19|20)\d\d/g)].map(({ index }) => [index, index + 4] as Stretch),
      ],
    ],
  ];

  const length = unguessedLength(
    letters.length,
    found.flatMap(([, stretches]) => stretches),
  );
  const strength = length < 8 ? 'weak' : length < 11 ? 'fair' : length < 14 ? 'good' : 'strong';
  if (strength === 'strong') return { strength, advice: 'fine' };
  return { strength, advice: found.find(([, stretches]) => stretches.length > 0)?.[0] ?? 'longer' };
}

/** Start (inclusive) and end (exclusive). */
type Stretch = [number, number];

function occurrences(text: string, word: string): Stretch[] {
  const found: Stretch[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    found.push([at, at + word.length]);
  return found;
}

/** Ranges of three or more equal or adjacent characters in the alphabet, the digits or a keyboard row. */
function runs(text: string): Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    const step = stepBetween(text[at - 1], text[at]);
    const goesOn = step !== null && (at - from < 2 || step === stepBetween(text[at - 2], text[at - 1]));
    if (goesOn) continue;
    if (at - from >= 3) found.push([from, at]);
    // The character that ends a run may be the second one of the next run.
    from = step === null ? at : at - 1;
  }
  return found;
}

/** `0` for equal characters, otherwise row and direction; null if they are not adjacent. */
function stepBetween(one: string | undefined, next: string | undefined): string | null {
  if (!one || !next) return null;
  if (one === next) return '0';
  for (const row of rows) {
    if (row.includes(one + next)) return `${row}>`;
    if (row.includes(next + one)) return `${row}<`;
  }
  return null;
}

function unguessedLength(length: number, stretches: Stretch[]): number {
  const guessed = Array.from({ length }, (_, at) => stretches.some(([from, to]) => from <= at && at < to));
  // A guessable range counts once, at its start.
  return guessed.filter((is, at) => !is || !guessed[at - 1]).length;
}

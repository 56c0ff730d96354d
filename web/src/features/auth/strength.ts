// How easily a password is guessed, roughly: its length, less common patterns. It advises and refuses nothing.

export const strengths = ['weak', 'fair', 'good', 'strong'] as const;
export type Strength = (typeof strengths)[number];

/** What would help most; `fine` when nothing needs to. */
export type Advice = 'short' | 'name' | 'common' | 'pattern' | 'longer' | 'fine';

/** The server takes no shorter one. */
const minLength = 6;
/** Nor a longer one; what is pasted beyond it is not looked at. */
const maxLength = 128;

/** The words that lists of leaked passwords begin with, and what people of this network would think of. */
const common =
  'password passwort passcode qwerty letmein welcome admin login secret master iloveyou mahal lovely sunshine princess monkey dragon football baseball superman batman shadow freedom whatever trustno hello summer winter spring autumn maganda pogi portia lawyer attorney abogado lawschool barexam justice student'.split(
    ' ',
  );
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** How letters are commonly disguised. */
const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};

/** Every stretch that is guessed as a whole counts as one character; the rest of the length is the strength. */
export function strengthOf(password: string, username = ''): { strength: Strength; advice: Advice } {
  const letters = [...password].slice(0, maxLength).map((letter) => letter.toLowerCase());
  if (letters.length < minLength) return { strength: 'weak', advice: 'short' };

  // One code unit a letter, so that places in the text are places in `letters`.
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

/** From, inclusive, and to, exclusive. */
type Stretch = [number, number];

function occurrences(text: string, word: string): Stretch[] {
  const found: Stretch[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    found.push([at, at + word.length]);
  return found;
}

/** Three or more of the same letter, or of neighbours in the alphabet, among the digits or on the keyboard. */
function runs(text: string): Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at += 1) {
    const step = stepBetween(text[at - 1], text[at]);
    const goesOn = step !== null && (at - from < 2 || step === stepBetween(text[at - 2], text[at - 1]));
    if (goesOn) continue;
    if (at - from >= 3) found.push([from, at]);
    // The letter that broke a run may begin the next one with its neighbour before it.
    from = step === null ? at : at - 1;
  }
  return found;
}

/** `0` for the same letter twice, otherwise the row and the direction; null when the two are no neighbours. */
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
  // A guessed stretch still counts once, at its beginning.
  return guessed.filter((is, at) => !is || !guessed[at - 1]).length;
}

// The rules of the server for passwords that are guessed first; `services/auth/src/credentials/guessable.rs` has the same.

/** The characters that a password needs beside a name. */
const besideName = 5;
const product = 'portia';
/** The rows of a keyboard, in both directions. */
const rows = [
  '1234567890',
  '0987654321',
  'qwertyuiop',
  'poiuytrewq',
  'asdfghjkl',
  'lkjhgfdsa',
  'zxcvbnm',
  'mnbvcxz',
];

/** As the server stores a password. */
export const canonical = (password: string) => password.normalize('NFC').toLowerCase();

/** Whether it is a name with up to four more characters, or repeats one character or a part of a keyboard row. */
export function isGuessable(password: string, username: string): boolean {
  const text = canonical(password);
  const names = [username.trim().toLowerCase(), product].filter(Boolean);
  return names.some((name) => isName(text, name)) || isRepetition([...text]);
}

function isName(text: string, name: string): boolean {
  return text.includes(name) && [...text].length < [...name].length + besideName;
}

/** Whether it consists of equal or of adjacent characters, once or repeated; the last repetition may be shorter. */
function isRepetition(letters: string[]): boolean {
  return letters.some((_, at) => {
    const period = letters.slice(0, at + 1);
    const isPartOfRow = period.length === 1 || rows.some((row) => row.includes(period.join('')));
    return isPartOfRow && letters.every((letter, index) => letter === period[index % period.length]);
  });
}

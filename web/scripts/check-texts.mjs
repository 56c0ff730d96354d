// Fails when a text exists in one language only or its placeholders differ.
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../src/locales/', import.meta.url);
const problems = [];

const load = (language, file) => {
  try {
    return flatten(JSON.parse(readFileSync(new URL(`${language}/${file}`, root), 'utf8')));
  } catch (error) {
    problems.push(`${language}/${file}: ${error.message}`);
    return new Map();
  }
};

function flatten(value, path = '', found = new Map()) {
  if (typeof value === 'string') found.set(path, value);
  else for (const [key, inner] of Object.entries(value)) flatten(inner, path ? `${path}.${key}` : key, found);
  return found;
}

const placeholders = (text) => [...new Set(text.match(/\{\{[^}]+\}\}|<\/?\w+\/?>/g) ?? [])].sort().join(' ');

const files = new Set(['en', 'fil'].flatMap((language) => readdirSync(new URL(`${language}/`, root))));
let count = 0;
for (const file of [...files].sort()) {
  const en = load('en', file);
  const fil = load('fil', file);
  count += en.size;
  for (const [key, text] of en) {
    const translated = fil.get(key);
    if (translated === undefined) problems.push(`fil/${file}: ${key} is missing`);
    else if (!translated.trim() && text.trim()) problems.push(`fil/${file}: ${key} is empty`);
    else if (placeholders(text) !== placeholders(translated))
      problems.push(`fil/${file}: ${key} has other placeholders than English`);
    if (
      /_(one|other)$/.test(key) &&
      !en.has(key.replace(/_(one|other)$/, (form) => (form === '_one' ? '_other' : '_one')))
    )
      problems.push(`en/${file}: ${key} lacks its other plural form`);
  }
  for (const key of fil.keys()) if (!en.has(key)) problems.push(`en/${file}: ${key} is missing`);
}

for (const problem of problems) console.error(problem);
console.log(`${files.size} text files, ${count} texts in two languages, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

// Adds up the JavaScript of the landing page and of a member's home, in brotli bytes, and counts the scripts of the screens that
// members open most; fails when one outgrows its budget. A browser requests six files at a time over HTTP/1.1.
// What a member uses later, such as the fields of a comment, is no part of home.
import { readdirSync, readFileSync, statSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const assets = readdirSync(new URL('assets/', dist)).filter((name) => name.endsWith('.js'));

/** The files of index.html with their static imports. */
const shell = new Set();
function want(name) {
  if (shell.has(name)) return;
  shell.add(name);
  const code = readFileSync(new URL(name, dist), 'utf8');
  for (const [, imported] of code.matchAll(
    /(?:^|[;}\s])(?:import|export)\b[^"'();]*?(?:from)?\s*["']\.\/([^"']+\.js)["']/g,
  ))
    want(`assets/${imported}`);
}
const html = readFileSync(new URL('index.html', dist), 'utf8');
for (const [, path] of html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) want(path);

/** What app/preload.js requests for each screen: the same files that the client then imports. */
const preload = assets.find((name) => name.startsWith('preload-'));
const [, needed] = readFileSync(new URL(`assets/${preload}`, dist), 'utf8').match(
  /(\{"landing".*?"files":\[[^\]]*\]\})/,
) ?? [null, null];
if (!needed) throw new Error('check-budget.mjs cannot read the screens of preload.js any more');
const { files, landing, feed, member, screens } = JSON.parse(needed);
const requested = (...lists) => lists.flat().map((nr) => `assets/${files[nr]}`);

function check(name, wanted, budget) {
  let total = 0;
  for (const file of [...new Set(wanted)].sort()) {
    const size = statSync(new URL(`${file}.br`, dist)).size;
    total += size;
    console.log(`${String(size).padStart(8)}  ${file}`);
  }
  console.log(`${String(total).padStart(8)}  ${name}, of ${budget}\n`);
  if (total > budget) process.exitCode = 1;
}

check('landing page', [...shell, ...requested(landing).filter((file) => file.endsWith('.js'))], 110_000);
// Beside the shell, which is in the browser's cache after the first visit.
for (const language of ['en', 'fil'])
  check(
    `home of a member, ${language}`,
    requested(feed, member).map((file) => file.replace('/texts-en-', `/texts-${language}-`)),
    56_000,
  );

/** Beside those of index.html. */
const scripts = { home: 8, jobs: 15, 'legal-news': 12, 'profile/[^/]+': 15, search: 14 };
const count = (name, wanted) => {
  const total = new Set(wanted).size;
  console.log(`${String(total).padStart(8)}  scripts of ${name}, of ${scripts[name]}`);
  if (total > scripts[name]) process.exitCode = 1;
};
count('home', requested(feed, member));
for (const [pattern, numbers] of screens) if (pattern in scripts) count(pattern, requested(numbers, member));

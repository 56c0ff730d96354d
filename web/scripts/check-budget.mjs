// Adds up the JavaScript a visitor's landing page loads, in brotli bytes, and fails when it outgrows its budget.
import { readdirSync, readFileSync, statSync } from 'node:fs';

const budget = 110_000;
const dist = new URL('../dist/', import.meta.url);

/** The files of index.html, their static imports, and the chunks that the landing page requests at once. */
const wanted = new Set(['theme.js']);
const assets = readdirSync(new URL('assets/', dist)).filter((name) => name.endsWith('.js'));
function want(name) {
  if (wanted.has(name)) return;
  wanted.add(name);
  const code = readFileSync(new URL(name, dist), 'utf8');
  for (const [, imported] of code.matchAll(
    /(?:^|[;}\s])(?:import|export)\b[^"'();]*?(?:from)?\s*["']\.\/([^"']+\.js)["']/g,
  ))
    want(`assets/${imported}`);
}
const html = readFileSync(new URL('index.html', dist), 'utf8');
for (const [, path] of html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) want(path);
for (const name of assets) if (/^(home|landing|texts-landing)-/.test(name)) want(`assets/${name}`);

let total = 0;
for (const name of [...wanted].sort()) {
  const size = statSync(new URL(`${name}.br`, dist)).size;
  total += size;
  console.log(`${String(size).padStart(8)}  ${name}`);
}
console.log(`${String(total).padStart(8)}  landing page, of ${budget}`);
process.exitCode = total > budget ? 1 : 0;

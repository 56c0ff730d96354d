// Writes src/api/schema.gen.ts from the gateway's snapshot; with --check it only reports whether the file is up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const snapshot = fileURLToPath(new URL('../../gateway/openapi.json', import.meta.url));
const target = new URL('../src/api/schema.gen.ts', import.meta.url);

// Not among the devDependencies: the generator needs TypeScript 5, the client is checked by 7.
const packages = ['typescript@5.9.3', 'openapi-typescript@7.13.0'].map((name) => `--package=${name}`);
const generated = execFileSync(
  'npm',
  [
    'exec',
    '--yes',
    ...packages,
    '--',
    'openapi-typescript',
    snapshot,
    '--root-types',
    '--root-types-no-schema-prefix',
  ],
  {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 32 * 1024 * 1024,
  },
);

if (!process.argv.includes('--check')) {
  writeFileSync(target, generated);
  console.log('wrote src/api/schema.gen.ts');
} else if (readFileSync(target, 'utf8') !== generated) {
  console.error('src/api/schema.gen.ts is older than gateway/openapi.json: run `npm run api`');
  process.exitCode = 1;
}

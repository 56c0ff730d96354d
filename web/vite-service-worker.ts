// Builds src/service-worker/ into one file beside the page, with the list of the files it stores. Workbox's own build tool would
// double the packages of this client for that list.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The page itself is not among them: each copy has its own nonce. */
const plainFiles = ['favicon.svg', 'brand/portia-mark.svg'];

function filesOf(dist: string) {
  const hashed = readdirSync(`${dist}/assets`).filter((name) => /\.(js|css|woff2)$/.test(name));
  const revision = (name: string) =>
    createHash('sha256')
      .update(readFileSync(`${dist}/${name}`))
      .digest('base64url')
      .slice(0, 8);
  return [
    ...hashed.map((name) => ({ url: `/assets/${name}`, revision: null })),
    ...plainFiles.map((name) => ({ url: `/${name}`, revision: revision(name) })),
  ];
}

export function serviceWorker(): Plugin {
  let dist = '';
  return {
    name: 'portia:service-worker',
    apply: 'build',
    configResolved(config) {
      dist = config.build.outDir.startsWith('/') ? config.build.outDir : at(`./${config.build.outDir}`);
    },
    async closeBundle() {
      await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        resolve: { alias: { '@': at('./src') } },
        define: { FILES: JSON.stringify(filesOf(dist)), 'process.env.NODE_ENV': '"production"' },
        build: {
          outDir: dist,
          emptyOutDir: false,
          target: 'es2023',
          rolldownOptions: {
            input: at('./src/service-worker/service-worker.ts'),
            output: { entryFileNames: 'service-worker.js', format: 'iife' },
          },
        },
      });
    },
  };
}

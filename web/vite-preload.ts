// Adds src/app/preload.js to the page with the files of each screen: the client's code is 100 kB, and before it runs, the
// browser does not know the other files. The script of the theme is in the same file: both block, and one request is faster.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minifySync, type Plugin, type Rolldown } from 'vite';
import { feedModules, memberModules } from './vite-home.ts';
import { textFile } from './vite-texts.ts';

type Bundle = Rolldown.OutputBundle;

const written = (name: string) =>
  readFileSync(fileURLToPath(new URL(`./src/app/${name}`, import.meta.url)), 'utf8');

/** Code that a screen imports on demand as soon as it is drawn. */
const laterModules: Record<string, string[]> = {
  'routes/search': ['src/features/search/results.tsx'],
};

const memberTexts = ['member'];
/** The font of the title of the landing page; few other screens have it. */
const displayFont = /^assets\/portia-display-latin-[\w-]{8}\.woff2$/;
const landing = ['src/features/landing/landing.tsx'];
/** The same texts as in routes/home.tsx. */
const feedTexts = ['home', 'network', 'posts', 'saved'];

interface Screen {
  /** Matches the path without its first slash; a regular expression. */
  pattern: string;
  modules: string[];
  texts: string[];
}

/** Parses the screens of app/screens.tsx with their code and texts. */
export function screensIn(source: string): Screen[] {
  const entry = /path: '([^'*]+)',\s*element: screen\(\s*\(\) => import\('@\/(routes\/[\w-]+)'\),?([^)]*)\)/g;
  const screens = [...source.matchAll(entry)].map(([, path = '', route = '', texts = '']) => ({
    pattern: path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+'),
    modules: ['src/app/screens.tsx', `src/${route}.tsx`, ...(laterModules[route] ?? [])],
    texts: ['meta', ...[...texts.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? '')],
  }));
  // All except the not-found screen.
  const drawn = source.match(/element: screen\(/g)?.length ?? 0;
  if (screens.length !== drawn - 1) throw new Error('vite-preload.ts cannot read app/screens.tsx any more');
  return screens;
}

/** The data for preload.js, given the chunks of the build. */
function screensOf(bundle: Bundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const closure = (chunk: Rolldown.OutputChunk | undefined, found = new Set<string>()) => {
    if (!chunk || found.has(chunk.fileName)) return found;
    found.add(chunk.fileName);
    for (const file of chunk.imports)
      closure(
        chunks.find(({ fileName }) => fileName === file),
        found,
      );
    return found;
  };
  const initial = closure(chunks.find(({ isEntry }) => isEntry));
  const files: string[] = [];
  // Sorted: lists that resemble each other compress better.
  const needed = (modules: string[], texts: string[] = []) => {
    const wanted = new Set<string>();
    for (const module of modules) {
      const home = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
      if (!home) throw new Error(`No chunk of the build holds ${module}`);
      closure(home, wanted);
    }
    // Those in English: preload.js replaces the language.
    const code = [...wanted]
      .filter((file) => !initial.has(file))
      .map((file) => file.replace(/^assets\//, ''));
    return [...code, ...new Set(texts.map((feature) => textFile('en', feature)))]
      .map((name) => {
        if (!files.includes(name)) files.push(name);
        return files.indexOf(name);
      })
      .sort((one, other) => one - other);
  };
  const landingFont = Object.keys(bundle).find((name) => displayFont.test(name));
  if (!landingFont) throw new Error('vite-preload.ts cannot find the font of the landing page any more');
  files.push(landingFont.replace(/^assets\//, ''));
  return {
    landing: [...needed(landing), files.indexOf(landingFont.replace(/^assets\//, ''))],
    feed: needed(feedModules, feedTexts),
    member: needed(memberModules, memberTexts),
    screens: screensIn(written('screens.tsx')).map(({ pattern, modules, texts }) => [
      pattern,
      needed(modules, texts),
    ]),
    files,
  };
}

const compact = (source: string) => minifySync('script.js', source).code;

export const preloadScript = (source: string, screens: object) =>
  compact(source).replace('__SCREENS__', () => JSON.stringify(screens));

export function preload(): Plugin {
  let name = '';
  return {
    name: 'portia:preload',
    apply: 'build',
    generateBundle(_, bundle) {
      const theme = compact(written('theme.js'));
      const source = `${theme}\n${preloadScript(written('preload.js'), screensOf(bundle))}`;
      name = `assets/preload-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName: name, source });
    },
    transformIndexHtml: {
      order: 'post',
      // Before the style sheet, which would block a later script.
      handler: (html) => html.replace('src="/src/app/theme.js"', `src="/${name}"`),
    },
  };
}

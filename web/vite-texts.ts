// Writes the texts of features as files per language and feature, with those together that screens need together. The names follow from the language, the feature and one hash
// of all texts: a list of eighty names with a hash each would be a kilobyte of every page.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const languages = ['en', 'fil'];
/** In the code of the components that need them. */
const bundled = ['shell', 'landing', 'emoji', 'files', 'unsaved'];
/** The features of the files with several: home needs those of `posts`, every other screen those of `lists`. */
const together: Record<string, string[]> = {
  posts: ['home', 'mark', 'member', 'network', 'posts', 'saved'],
  lists: ['communities', 'jobs', 'meta', 'news', 'pages', 'resources', 'search', 'topics'],
  profile: ['feeds', 'focus', 'profile'],
  account: ['account', 'auth', 'forms'],
};
const fileNames = Object.fromEntries(
  Object.entries(together).flatMap(([file, features]) => features.map((feature) => [feature, file])),
);
const fileOf = (feature: string) => fileNames[feature] ?? feature;

function sourcesOf(language: string) {
  const folder = fileURLToPath(new URL(`./src/locales/${language}/`, import.meta.url));
  const files = new Map<string, Record<string, unknown>>();
  for (const name of readdirSync(folder).sort()) {
    const feature = name.replace(/\.json$/, '');
    if (bundled.includes(feature)) continue;
    const texts = JSON.parse(readFileSync(`${folder}${name}`, 'utf8'));
    files.set(fileOf(feature), { ...files.get(fileOf(feature)), [feature]: texts });
  }
  return [...files].map(([file, texts]) => ({
    language,
    file,
    source: `export default ${JSON.stringify(texts)}`,
  }));
}

function read() {
  const sources = languages.flatMap(sourcesOf);
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('base64url').slice(0, 8);
  return { sources, hash };
}

let texts: ReturnType<typeof read> | undefined;

/** The name of the file in `assets/` that has the texts of a feature. */
export function textFile(language: string, feature: string): string {
  texts ??= read();
  return `texts-${language}-${fileOf(feature)}-${texts.hash}.js`;
}

export function textFiles(): Plugin {
  return {
    name: 'portia:texts',
    apply: 'build',
    enforce: 'pre',
    transform(_code, id) {
      if (!id.endsWith('/src/i18n/text-files.ts')) return;
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the template of the client.
      const path = `/assets/${textFile('${language}', '${file}')}`;
      return {
        code: `export const readTexts = async (language, feature) => {
          const file = ${JSON.stringify(fileNames)}[feature] ?? feature;
          return (await import(/* @vite-ignore */ \`${path}\`)).default[feature];
        };`,
        map: null,
      };
    },
    generateBundle() {
      for (const { language, file, source } of read().sources)
        this.emitFile({ type: 'asset', fileName: `assets/${textFile(language, file)}`, source });
    },
  };
}

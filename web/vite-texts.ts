// Writes the texts of features as one file per language and feature, those of posts together. The names follow from the language, the feature and one hash
// of all texts: a list of eighty names with a hash each would be a kilobyte of every page.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const languages = ['en', 'fil'];
/** In the code of the components that need them. */
const bundled = ['shell', 'landing', 'emoji', 'files', 'unsaved'];
/** In the file of posts: home needs them together, and other screens most of them. */
const withPosts = ['home', 'member', 'network', 'saved'];
const fileOf = (feature: string) => (withPosts.includes(feature) ? 'posts' : feature);

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
          const file = /^(${withPosts.join('|')})$/.test(feature) ? 'posts' : feature;
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

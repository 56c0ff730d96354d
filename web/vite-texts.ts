// Writes the texts of features as one file per language and feature. The names follow from the language, the feature and one hash
// of all texts: a list of eighty names with a hash each would be a kilobyte of every page.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const languages = ['en', 'fil'];
/** In the code of the components that need them. */
const bundled = ['shell', 'landing', 'emoji', 'files', 'unsaved'];

function sourcesOf(language: string) {
  const folder = fileURLToPath(new URL(`./src/locales/${language}/`, import.meta.url));
  return readdirSync(folder)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((feature) => !bundled.includes(feature))
    .map((feature) => {
      const texts = JSON.parse(readFileSync(`${folder}${feature}.json`, 'utf8'));
      return { language, feature, source: `export default ${JSON.stringify(texts)}` };
    });
}

function read() {
  const sources = languages.flatMap(sourcesOf);
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('base64url').slice(0, 8);
  return { sources, hash };
}

let texts: ReturnType<typeof read> | undefined;

/** The name of a file in `assets/`. */
export function textFile(language: string, feature: string): string {
  texts ??= read();
  return `texts-${language}-${feature}-${texts.hash}.js`;
}

export function textFiles(): Plugin {
  return {
    name: 'portia:texts',
    apply: 'build',
    enforce: 'pre',
    transform(_code, id) {
      if (!id.endsWith('/src/i18n/text-files.ts')) return;
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the template of the client.
      const path = `/assets/${textFile('${language}', '${feature}')}`;
      return {
        code: `export const readTexts = async (language, feature) => (await import(/* @vite-ignore */ \`${path}\`)).default;`,
        map: null,
      };
    },
    generateBundle() {
      for (const { language, feature, source } of read().sources)
        this.emitFile({ type: 'asset', fileName: `assets/${textFile(language, feature)}`, source });
    },
  };
}

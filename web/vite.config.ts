/// <reference types="vitest/config" />
// Build, development server, and tests of the client.
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { homeIcon } from './vite-home.ts';
import { preload } from './vite-preload.ts';
import { serviceWorker } from './vite-service-worker.ts';
import { textFiles } from './vite-texts.ts';

const src = fileURLToPath(new URL('./src', import.meta.url));

/** The fonts of the first paint, preloaded in the HTML. */
const firstFonts = /^assets\/(inter|portia-serif)-latin-[\w-]{8}\.woff2$/;

const icons = 'lucide-react/dist/esm/icons/';
/** Parts of `src/ui` that several screens need and home does not. */
const screenParts =
  'combobox|count|detail-fallback|field|filters|text-folding|term-highlights|named-meta|page-meta|pdf-field|picture-types|search-field|switch|toggle-button';
/** Parts of `src/ui` in the files of tabs, floating elements, shortcuts, the feed or the writing of posts. */
const otherParts =
  'action-menu|choose-language|confirm-dialog|dialog|discard-question|emoji-button|picture-scaling|form-buttons|form-dialog|data-transfer|menu|popover|segmented|select-list|single-keys|start-request|submit-dialog|tabs|theme-choice|tooltip-parts|unsaved-changes|use-dialog|use-opening|use-settled';
const screenApi = 'community-moderation|feed-control|moderation|passkeys|topics|verifications';

/** What nearly every screen has. */
const base = new RegExp(
  [
    icons,
    'node_modules/@tanstack/',
    `src/ui/(?!(${screenParts}|${otherParts})\\.)[\\w-]+\\.tsx?$`,
    `src/api/(?!(limits\\.gen|renewal|find-number|proof-of-work|proof-status|${screenApi})\\.)[\\w.-]+\\.ts$`,
    'src/i18n/(load-texts|text-files)',
    'src/session/(drafts|device-store|use-change|use-device-value)',
    'src/features/(communities/icon|network/reason|posts/(comment-draft|postings-key)|resources/(built-in|kind))',
    'src/web-address',
    'src/locales/(en|fil)/unsaved',
  ].join('|'),
);
const common = new RegExp(`${icons}|src/(ui/(${screenParts})|api/(${screenApi}))\\.`);
/** The cards of lists that several screens and the search show. */
const cards = new RegExp(
  `src/features/(${[
    'communities/(community-row|join-button|role-badge)',
    'feed-control/use-following',
    'jobs/(apply-button|job-card|job-facts|job-list|monogram)',
    'network/(connection-button|message-button|open-conversation|person-name|skeletons)',
    'news/(article-card|sources)',
    'profile/focus',
    'resources/(parts|resource-card)',
    'saved/save-button',
  ].join('|')})\\.tsx?$`,
);

function preloadFonts(): Plugin {
  return {
    name: 'portia:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {});
        const fonts = files.filter((file) => firstFonts.test(file));
        return fonts.map((file) => ({
          tag: 'link',
          injectTo: 'head' as const,
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
        }));
      },
    },
  };
}

/** The router without its warnings for developers: its package exports only the build that has them. */
function routerForProduction(): Plugin {
  const router = fileURLToPath(
    new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url),
  );
  return {
    name: 'portia:router',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^react-router$/, replacement: router }] } }),
  };
}

/**
 * Tests that need modules of their own: they replace a module, start the translation themselves, which removes the texts that
 * modules have added, or test what the client does until it has loaded something once. The files of all other tests share their
 * modules and a window, which takes half of the CPU time.
 */
const isolatedTests = [
  'src/app/{interactive-parts,search-key}.test.tsx',
  'src/features/messages/rows.test.ts',
  'src/features/notifications/sentence.test.tsx',
  'src/features/profile/edit/photo.test.tsx',
  'src/i18n/*.test.{ts,tsx}',
  'src/routes/jobs-files.test.tsx',
  'src/session/{file-store.test.ts,protected.test.tsx}',
  'src/ui/{choose-language,emoji-picker,form-dialog,lazy,toaster,tooltip*,type-ahead}.test.tsx',
];

const portia = process.env.PORTIA_URL ?? 'http://127.0.0.1:8080';
const proxy = { '/api': portia, '/media': portia };

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    preloadFonts(),
    routerForProduction(),
    textFiles(),
    preload(),
    serviceWorker(),
  ],
  resolve: { alias: { '@': src }, dedupe: ['react', 'react-dom', 'react-router'] },
  server: { host: '127.0.0.1', port: 5173, proxy },
  preview: { host: '127.0.0.1', port: 4173, proxy },
  build: {
    target: 'es2023',
    // A data: URL would need `data:` in the font and script directives of the content security policy.
    assetsInlineLimit: 0,
    // Every browser with es2023 preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One character less than by default: the shell lists every file, and hashes do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            // One file for the first page: many small files compress worse.
            { name: 'shell', tags: ['$initial'] },
            // What the landing page shares with the screens of members, which do not load the landing page.
            {
              name: 'ornaments',
              test: /src\/ui\/(brand-ornament|badge|avatar|footer-links)\.tsx|lucide-react\/dist\/esm\/icons\/(award|handshake|message-circle|thumbs-up|trending-up)\.mjs/,
            },
            {
              name: 'landing',
              test: /src\/(features\/landing|locales\/(en|fil)\/landing)/,
            },
            // What nearly every screen needs, with the icons of home. Unsaved input belongs to it: the feed shows drafts, and in a
            // file of dialogs it would load all dialogs.
            {
              name: (id, graph) => (id.includes('/lucide-react/') ? homeIcon(id, graph) : 'base'),
              test: base,
              minShareCount: 2,
            },
            // The icons, fields and smaller parts of the screens except home.
            {
              name: 'common',
              test: common,
              minShareCount: 2,
            },
            // Loads after the first paint of every screen, also of the landing page: without the parts of other screens.
            {
              name: 'shortcuts',
              test: /src\/(app\/(shortcuts|shortcut-keys)|features\/posts\/post-keys|ui\/(single-keys|start-request|use-opening))\.tsx?$/,
            },
            // Tabs, floating elements, posts and members: four files in place of forty that every screen with one of them would
            // have to request.
            {
              name: 'tabs',
              test: /node_modules\/@radix-ui\/(primitive|react-(tabs|roving-focus|collection|direction|id|presence|primitive|slot|compose-refs|context|use-[a-z-]+))\/|src\/ui\/tabs\.tsx/,
              minShareCount: 2,
            },
            {
              name: 'floating',
              test: /node_modules\/(@?radix-ui|@floating-ui|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden)\/|src\/ui\/(action-menu|confirm-dialog|dialog|discard-question|form-buttons|form-dialog|data-transfer|menu|popover|select-list|submit-dialog|tabs|tooltip-parts)\.tsx/,
              minShareCount: 2,
            },
            // Home shows the fields of posts and comments only to a member who writes.
            {
              name: 'writing',
              test: /src\/(session\/use-draft|features\/posts\/(comment-box|comment-form|text\/(mention-(list|text-area)|people-to-mention|use-mentions))|ui\/emoji-button)\.tsx?/,
              minShareCount: 2,
            },
            {
              name: 'posts',
              test: /src\/features\/((posts|saved(?!\/save-button)|events)\/|network\/(?!message-button|open-conversation|partners|person-name))/,
              minShareCount: 4,
            },
            // The layout of members, and the feed: one file each in place of twenty.
            {
              name: 'member',
              test: /src\/(app\/(member-controls|offline-notice|service-worker|session-renewal|unread-count)|live\/|api\/renewal|session\/(device-store|renewal|sign-out-question|use-sign-out)|features\/search\/(search-box|suggestion-groups)|features\/messages\/outbox-key|ui\/use-settled)/,
            },
            {
              name: 'feed',
              test: /src\/(features\/(home\/|account\/(recovery-card|recovery-offer|code-generator|reauthentication)\.|posts\/(composer|attachments|post-list|sort)\.)|ui\/(theme-choice|segmented))/,
            },
            { name: 'cards', test: cards },
            // Five screens that differ by their texts only.
            {
              name: 'documents',
              test: /src\/(routes\/(about|privacy|terms|cookies|copyright)\.|features\/documents\/)/,
            },
            // One file each: the page of the landing page lists all files.
            { name: 'session-end', test: /src\/session\/(session-end|push)\./ },
            { name: 'proving', test: /src\/(api\/proof-status|features\/auth\/proof-status)\./ },
            // Code that every screen except home needs. Last: a group contains what its modules import and no earlier group does.
            { name: 'screens', test: /src\/(app\/screens|session\/protected)\.tsx?$/ },
          ],
        },
      },
    },
  },
  test: {
    environment: 'happy-dom',
    setupFiles: ['./src/testing/setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: isolatedTests,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolatedTests } },
    ],
    restoreMocks: true,
    // Node 20 on two cores: typing a form key by key through the whole router is slow.
    testTimeout: 60_000,
  },
});

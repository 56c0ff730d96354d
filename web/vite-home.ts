// Which icons home draws: they are one file, without those of the other screens.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

/** On every page of a member: the header controls with their texts. */
export const memberModules = ['src/app/member-controls.tsx', 'src/app/unread-count.tsx'];
export const feedModules = ['src/features/home/feed.tsx'];
/** Loads after the feed: the checklist of a new member, and the mark of verified members. */
const onDemandModules = ['src/features/onboarding/checklist.tsx', 'src/ui/verified-icon.tsx'];

/** Loads on every page after the first paint. */
const laterModules = ['src/app/shortcuts.tsx'];
const library = 'lucide-react/dist/esm/lucide-react.mjs';

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

/** The file of each icon by the names that the library exports. */
function iconFiles(): Map<string, string> {
  const source = readFileSync(fileURLToPath(new URL(`./node_modules/${library}`, import.meta.url)), 'utf8');
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of source.matchAll(/export \{([^}]+)\} from '\.\/icons\/([^']+)'/g))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  return files;
}

/** Names of files; code that home imports on demand does not count. */
function iconsOfHome(graph: Graph): Set<string> {
  const files = iconFiles();
  const icons = new Set<string>();
  const seen = new Set<string>();
  const visit = (id: string) => {
    const info = seen.has(id) || id.includes('/node_modules/') ? null : graph.getModuleInfo(id);
    seen.add(id);
    if (!info) return;
    for (const [, names = ''] of (info.code ?? '').matchAll(
      /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g,
    ))
      for (const name of names.split(',')) icons.add(files.get(name.split(' as ')[0]?.trim() ?? '') ?? '');
    info.importedIds.forEach(visit);
  };
  for (const module of [...memberModules, ...feedModules, ...onDemandModules, ...laterModules])
    visit(fileURLToPath(new URL(module, import.meta.url)));
  if (icons.size === 0) throw new Error('vite-home.ts cannot read the icons of home any more');
  return icons;
}

let icons: Set<string> | undefined;

/** The name of a group of the bundle. */
export function homeIcon(id: string, graph: Graph): string | null {
  icons ??= iconsOfHome(graph);
  return icons.has(id.split('/icons/').at(-1) ?? '') ? 'base' : null;
}

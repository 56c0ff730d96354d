// The three built-in resources of the client; they always follow the server's (specification, section 2, Resources).
import type { Resource } from '@/api/schema.gen';

export const builtInResources: readonly Resource[] = [
  {
    id: 'casebriefs',
    title: 'Casebriefs',
    description:
      'Briefs of the cases that first-year casebooks are built on, sorted by subject and by casebook.',
    url: 'https://www.casebriefs.com/',
    type: 'case-brief',
  },
  {
    id: 'barbri',
    title: 'BARBRI Bar Review',
    description:
      'A full bar review course with lectures, outlines and graded practice essays for every US state.',
    url: 'https://www.barbri.com/',
    type: 'study-material',
  },
  {
    id: 'themis',
    title: 'Themis Bar Review',
    description:
      'A bar review course made for studying online, with short lectures and a schedule that adapts.',
    url: 'https://www.themisbar.com/',
    type: 'study-material',
  },
];

/** The id prefix of built-in resources among saved items. */
const mark = 'builtin-';

/** The id of a resource among saved items: the server does not know the built-in ones. */
export function savedId(id: string): string {
  return builtInResources.some((one) => one.id === id) ? `${mark}${id}` : id;
}

/** The built-in resource with this saved id, if there is one. */
export function builtInSaved(id: string): Resource | null {
  return builtInResources.find((one) => `${mark}${one.id}` === id) ?? null;
}

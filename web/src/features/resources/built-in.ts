// The three resources the client brings itself; they always follow the server's (specification, section 2, Resources).
import type { Resource } from '@/api/types';

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

/** Before the ids of these where the server keeps them. */
const mark = 'builtin-';

/** The id under which a resource is kept for later: the server knows none of these. */
export function savedId(id: string): string {
  return builtInResources.some((one) => one.id === id) ? `${mark}${id}` : id;
}

/** Which of these is kept under an id, if it is one of them. */
export function builtInSaved(id: string): Resource | null {
  return builtInResources.find((one) => `${mark}${one.id}` === id) ?? null;
}

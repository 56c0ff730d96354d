// The kinds of resources with their icons.
import { BookOpen, FileText, type LucideIcon, Newspaper, NotebookText } from 'lucide-react';
import type { ResourceType } from '@/api/queries';
import type { Resource } from '@/api/schema.gen';

/** In the order of the tabs. */
export const resourceKinds = [
  'article',
  'guide',
  'study-material',
  'case-brief',
] as const satisfies ResourceType[];

const icons: Record<ResourceType, LucideIcon> = {
  article: Newspaper,
  guide: BookOpen,
  'study-material': NotebookText,
  'case-brief': FileText,
};

/** Any other value is treated as an article (specification, section 3). */
export function kindOf({ type }: Pick<Resource, 'type'>): ResourceType {
  return resourceKinds.find((kind) => kind === type) ?? 'article';
}

export function resourceIcon(resource: Resource): LucideIcon {
  return icons[kindOf(resource)];
}

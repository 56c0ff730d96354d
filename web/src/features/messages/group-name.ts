// The name of a group, shared by the screens and the service worker.
import type { Group } from '@/api/schema.gen';
import { listOf } from '@/i18n/format';

/** The title, else the first names of the other members; null for a member who is alone in it. */
export function groupName({ title, members, memberCount }: Group, language: string): string | null {
  if (title) return title;
  const names = members.map(({ fullName }) => fullName);
  const more = memberCount - 1 - names.length;
  return names.length === 0 ? null : listOf(language, more > 0 ? [...names, `+${more}`] : names);
}

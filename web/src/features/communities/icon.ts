// The icon of a community by its name (specification, section 2).
import { Landmark, type LucideIcon, Scale, Users } from 'lucide-react';

export function communityIcon(name: string): LucideIcon {
  const lower = name.toLowerCase();
  if (lower.includes('review')) return Users;
  if (lower.includes('constitutional')) return Scale;
  return Landmark;
}

// The commands of the palette, their groups, and which of them match a text or have it as their name.
import type { LucideIcon } from 'lucide-react';
import { fold } from '@/ui/text-folding';

export interface Command {
  /** Unique in the palette; part of the id of the option. */
  key: string;
  label: string;
  /** A second line. */
  about?: string | null;
  icon?: LucideIcon;
  /** The picture of a member. */
  person?: { id: string; fullName: string; avatarUrl: string | null };
  run: () => void;
}

export interface CommandGroup {
  name:
    | 'exact'
    | 'places'
    | 'actions'
    | 'search'
    | 'people'
    | 'conversations'
    | 'communities'
    | 'events'
    | 'topics';
  commands: Command[];
}

/** The commands whose label has, for every word of the text, a word that begins with it; all for a blank text. */
export function matching(commands: Command[], text: string): Command[] {
  const wanted = wordsOf(text);
  return commands.filter(({ label }) => {
    const words = wordsOf(label);
    return wanted.every((word) => words.some((other) => other.startsWith(word)));
  });
}

/** Moves the commands whose whole name is the text into a group of their own, which is first. Leaves out empty groups. */
export function exactFirst(groups: CommandGroup[], text: string): CommandGroup[] {
  const wanted = wordsOf(text).join(' ');
  const isExact = ({ label }: Command) => wanted !== '' && wordsOf(label).join(' ') === wanted;
  const all: CommandGroup[] = [
    { name: 'exact', commands: groups.flatMap(({ commands }) => commands.filter(isExact)) },
    ...groups.map(({ name, commands }) => ({
      name,
      commands: commands.filter((command) => !isExact(command)),
    })),
  ];
  return all.filter(({ commands }) => commands.length > 0);
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

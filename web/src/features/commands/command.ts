// The commands of the palette, their groups, and which of them match a text.
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
  name: 'places' | 'actions' | 'people' | 'search';
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

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

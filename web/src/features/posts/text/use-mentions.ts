// The members that were chosen in a field, kept with its draft.
import type { DraftKind } from '@/session/drafts';
import { useDraft } from '@/session/use-draft';
import { encodeMentions, type Mentioned } from './mention-text';

const kind: DraftKind<readonly Mentioned[]> = {
  empty: [],
  isEmpty: (members) => members.length === 0,
  parse: (value) => (Array.isArray(value) && value.every(isMentioned) ? value : null),
};

const isMentioned = (value: unknown): value is Mentioned =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Mentioned).id === 'string' &&
  typeof (value as Mentioned).name === 'string';

export interface Mentions {
  chosen: readonly Mentioned[];
  choose: (member: Mentioned) => void;
  clear: () => void;
  /** The text with the ids of the chosen members. */
  encode: (text: string) => string;
}

/** `place` is the draft's place; null for a text without a draft, such as a posted one with its mentions. */
export function useMentions(place: string | null, initial: readonly Mentioned[] = kind.empty): Mentions {
  const draft = useDraft(place === null ? null : `mentions ${place}`, { ...kind, empty: initial });
  return {
    chosen: draft.value,
    choose: ({ id, name }) => draft.change([...draft.value, { id, name }]),
    clear: () => draft.change([]),
    encode: (text) => encodeMentions(text, draft.value),
  };
}

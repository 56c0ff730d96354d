// The list of members below a field, while a name is typed after an `@`.
import { useEffect } from 'react';
import type { Person } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { VerifiedMark } from '@/ui/verified-mark';
import { isConnected } from './people-to-mention';

interface MentionListProps {
  id: string;
  people: readonly Person[];
  /** The index of the active option. */
  active: number;
  onChoose: (person: Person) => void;
}

/** Below the field and not above the page: a phone's keyboard leaves little space, and a dialog would clip it. */
export function MentionList({ id, people, active, onChoose }: MentionListProps) {
  const { t } = useTranslation('posts');
  // The list may open below the edge of the screen or of a dialog.
  useEffect(() => {
    document.getElementById(id)?.scrollIntoView?.({ block: 'nearest' });
  }, [id]);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, active]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('mention.people')}
      // The field keeps the focus during a press.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      tabIndex={-1}
      className="floating mt-1 max-h-60 overflow-y-auto p-1.5"
    >
      {people.map((person, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focused field refers to it by aria-activedescendant.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        <div
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          onClick={() => onChoose(person)}
          className={`flex min-h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 ${at === active ? 'bg-selected' : 'hover:bg-hover'}`}
        >
          <Avatar user={person} size={32} decorative />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-1">
              <span className="truncate text-ui font-medium">{person.fullName}</span>
              <VerifiedMark member={person} />
            </span>
            {person.headline && (
              <span className="block truncate text-micro text-muted-foreground">{person.headline}</span>
            )}
          </span>
          {isConnected(person) && (
            <span className="shrink-0 text-micro text-muted-foreground">{t('mention.connection')}</span>
          )}
        </div>
      ))}
    </div>
  );
}

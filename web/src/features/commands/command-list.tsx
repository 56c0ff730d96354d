// The options of the command palette, in groups.
import { useEffect } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import type { Command, CommandGroup } from './command';

export const optionId = (id: string, { key }: Command) => `${id}-${key}`;

interface CommandListProps {
  /** The id of the list and the prefix of the ids of its options. */
  id: string;
  groups: CommandGroup[];
  selected: Command | undefined;
  onRun: (command: Command) => void;
}

export function CommandList({ id, groups, selected, onRun }: CommandListProps) {
  const { t } = useTranslation('commands');
  const active = selected && optionId(id, selected);
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('list')}
      // The field keeps the focus during a click.
      onMouseDown={(event) => event.preventDefault()}
      tabIndex={-1}
      className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-1.5"
    >
      {groups.map(({ name, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields.
        <div key={name} role="group" aria-labelledby={`${id}-group-${name}`}>
          <div
            id={`${id}-group-${name}`}
            role="presentation"
            className="px-2.5 pt-2 pb-1 text-micro text-muted-foreground"
          >
            {t(`groups.${name}`)}
          </div>
          {commands.map((command) => (
            <Option
              key={command.key}
              id={optionId(id, command)}
              command={command}
              isSelected={command.key === selected?.key}
              onRun={onRun}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isSelected: boolean;
  onRun: (command: Command) => void;
}

function Option({ id, command, isSelected, onRun }: OptionProps) {
  const { label, about, icon: Icon, person } = command;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focused field refers to it by aria-activedescendant.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      onClick={() => onRun(command)}
      className={`flex min-h-10 cursor-pointer items-center gap-3 rounded-sm px-2.5 py-1.5 ${isSelected ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      {person ? (
        <Avatar user={person} size={32} decorative />
      ) : (
        Icon && <Icon className="icon-sm shrink-0 text-muted-foreground" />
      )}
      <span className="min-w-0" dir="auto">
        <span className="block truncate text-ui font-medium">{label}</span>
        {about && <span className="block truncate text-micro text-muted-foreground">{about}</span>}
      </span>
    </div>
  );
}

// The command palette: a dialog with a combobox of the ARIA pattern. The focus stays in the field; Enter runs the selected
// option.
import { Search, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { queryLimits } from '@/api/query-limits.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { buttonClass } from '@/ui/button';
import { usePageEvents } from '@/ui/dialog';
import { focusedBefore, focusWithTyped } from '@/ui/type-ahead';
import type { Command } from './command';
import { CommandList, optionId } from './command-list';
import { useCommands } from './use-commands';

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Opens the list of shortcuts. */
  onHelp: () => void;
}

export function CommandPalette({ open, onOpenChange, onHelp }: CommandPaletteProps) {
  const { t } = useTranslation('commands');
  const opener = useRef<Element | null>(null);
  /** The command that closes the palette; its screen or dialog takes the focus. */
  const chosen = useRef<Command | null>(null);
  usePageEvents(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-(--z-overlay) flex items-start justify-center bg-overlay px-3 pt-3 md:pt-[12vh]">
          <Radix.Content
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              opener.current = focusedBefore();
              const field = (event.currentTarget as HTMLElement).querySelector('input');
              if (!field) return;
              event.preventDefault();
              focusWithTyped(field);
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (chosen.current) chosen.current.run();
              else if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
            className="animate-float flex max-h-[calc(100dvh-1.5rem)] w-full max-w-[36rem] flex-col overflow-hidden rounded-xl bg-popover shadow-dialog md:max-h-[70vh]"
          >
            <Radix.Title className="sr-only">{t('palette')}</Radix.Title>
            <Finder
              onHelp={onHelp}
              onRun={(command) => {
                chosen.current = command;
                onOpenChange(false);
              }}
              onClose={() => onOpenChange(false)}
            />
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface FinderProps {
  onHelp: () => void;
  onRun: (command: Command) => void;
  onClose: () => void;
}

function Finder({ onHelp, onRun, onClose }: FinderProps) {
  const { t } = useTranslation(['commands', 'shell']);
  const { user } = useAuth();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const groups = useCommands(text, onHelp);
  const commands = groups.flatMap((group) => group.commands);
  const selected = commands[Math.min(at, commands.length - 1)];

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey } = event;
    // Arrow keys and Enter also control the suggestions of an input method.
    if (event.nativeEvent.isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const step = key === 'ArrowDown' ? 1 : -1;
      setAt((Math.min(at, commands.length - 1) + step + commands.length) % commands.length);
    } else if (key === 'Enter') {
      event.preventDefault();
      if (selected) onRun(selected);
    } else if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) {
      // The keys that opened it.
      event.preventDefault();
      onClose();
    }
  };

  return (
    <>
      <div className="flex items-center gap-2 border-b py-2 pr-2 pl-4">
        <Search className="icon shrink-0 text-muted-foreground" />
        <input
          type="text"
          role="combobox"
          aria-label={t('palette')}
          aria-autocomplete="list"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={selected && optionId(id, selected)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={t(user ? 'placeholder' : 'placeholderVisitor')}
          maxLength={queryLimits.search.q.max}
          className="h-10 min-w-0 flex-1 bg-transparent text-[1rem] outline-none"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Radix.Close
          aria-label={t('shell:close')}
          className={buttonClass({ variant: 'ghost', iconOnly: true })}
        >
          <X className="icon" />
        </Radix.Close>
      </div>
      <CommandList id={id} groups={groups} selected={selected} onRun={onRun} />
      <p role="status" className="sr-only">
        {text.trim() && t('results', { count: commands.length })}
      </p>
    </>
  );
}

// The keyboard shortcuts of every screen. The palette and the list of shortcuts load on first use.
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { actOnFocusedPost, movePostFocus, openFocusedPost } from '@/features/posts/post-keys';
import { paths, searchFieldFocused } from '@/paths';
import { lazy } from '@/ui/lazy';
import { useSingleKeys } from '@/ui/single-keys';
import { useOpening } from '@/ui/use-opening';
import { type Shortcut, shortcutOf } from './shortcut-keys';

/** Imported on demand too: the landing page has no other use for it. */
const loadTexts = async () => (await import('@/i18n/load-texts')).loadTexts('commands');

const CommandPalette = lazy(async () => {
  const [{ CommandPalette }] = await Promise.all([
    import('@/features/commands/command-palette'),
    loadTexts(),
  ]);
  return CommandPalette;
});
const ShortcutsDialog = lazy(async () => {
  const [{ ShortcutsDialog }] = await Promise.all([
    import('@/features/commands/shortcuts-dialog'),
    loadTexts(),
  ]);
  return ShortcutsDialog;
});

/** Renders nothing until the palette or the list of shortcuts is opened. */
export function Shortcuts() {
  const navigate = useNavigate();
  const singleKeys = useSingleKeys();
  const palette = useOpening();
  const help = useOpening();

  const search = () => {
    const field = searchField();
    if (!field) return void navigate(paths.search(), searchFieldFocused);
    field.focus();
    field.select();
  };
  const actions: Record<Shortcut, () => void> = {
    palette: palette.open,
    help: help.open,
    search,
    next: () => movePostFocus(1),
    previous: () => movePostFocus(-1),
    open: openFocusedPost,
    like: () => actOnFocusedPost('like'),
    comment: () => actOnFocusedPost('comment'),
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = shortcutOf(event, singleKeys);
    if (!shortcut) return;
    event.preventDefault();
    // A key held down moves on, and acts once.
    if (!event.repeat || shortcut === 'next' || shortcut === 'previous') actions[shortcut]();
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);

  // For tests: the shortcuts have loaded.
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.shortcuts = singleKeys ? 'single' : 'modified';
    return () => {
      delete dataset.shortcuts;
    };
  }, [singleKeys]);

  return (
    <>
      {palette.nr > 0 && (
        <CommandPalette
          key={`palette ${palette.nr}`}
          open={palette.isOpen}
          onOpenChange={(open) => (open ? palette.open() : palette.close())}
          onHelp={help.open}
        />
      )}
      {help.nr > 0 && (
        <ShortcutsDialog
          key={`help ${help.nr}`}
          open={help.isOpen}
          onOpenChange={(open) => (open ? help.open() : help.close())}
        />
      )}
    </>
  );
}

/** Returns the search field on screen: the search screen's field, which follows the header, before the header's box. */
function searchField(): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[aria-keyshortcuts="/"]')];
  return fields.filter((field) => field.checkVisibility?.() ?? true).at(-1);
}

// The keyboard shortcuts of every screen.
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { paths, searchFieldFocused } from '@/paths';
import { useSingleKeys } from '@/ui/single-keys';
import { shortcutOf } from './shortcut-keys';

/** Renders nothing until a shortcut is used. */
export function Shortcuts() {
  const navigate = useNavigate();
  const singleKeys = useSingleKeys();

  const search = () => {
    const field = searchField();
    if (!field) return void navigate(paths.search(), searchFieldFocused);
    field.focus();
    field.select();
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = shortcutOf(event, singleKeys);
    if (!shortcut) return;
    event.preventDefault();
    if (shortcut === 'search') search();
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

  return null;
}

/** The search field on screen: that of the search screen, which follows the header, before the box of the header. */
function searchField(): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[aria-keyshortcuts="/"]')];
  return fields.filter((field) => field.checkVisibility?.() ?? true).at(-1);
}

// A part of a screen that the screen can do without. When its code or texts cannot be loaded, it is left out until the next
// reload; an error would replace the whole screen.
import type { ComponentType } from 'react';
import { lazy } from './lazy';

const Nothing = () => null;

export const lazyOptional = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy<Props>(() => load().catch(() => Nothing));

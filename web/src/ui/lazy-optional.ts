// A part of a screen that the screen can do without. When its code or texts cannot be loaded, it is left out until the next
// reload; an error would replace the whole screen.
import { type ComponentType, lazy } from 'react';

const Nothing = () => null;

export const lazyOptional = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: Nothing };
    }
  });

// The removal of posts and comments by owners and moderators; its code and texts load when a menu opens.

import { loadTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { lazyOptional } from '@/ui/lazy-optional';

export const RemoveContentItem = lazyOptional(async () => {
  const [{ RemoveContentItem }] = await Promise.all([import('./remove-content-item'), loadTexts('manage')]);
  return RemoveContentItem;
});

export const RemoveContent = lazy(async () => {
  const [{ RemoveContent }] = await Promise.all([import('./remove-content'), loadTexts('manage')]);
  return RemoveContent;
});

// The removal of posts and comments by owners and moderators; its code and texts load when a menu opens.
import { withTexts } from '@/i18n/load-texts';
import { lazy } from '@/ui/lazy';
import { lazyOptional } from '@/ui/lazy-optional';

export const RemoveContentItem = lazyOptional(
  async () => (await withTexts(import('./remove-content-item'), 'manage')).RemoveContentItem,
);

export const RemoveContent = lazy(
  async () => (await withTexts(import('./remove-content'), 'manage')).RemoveContent,
);

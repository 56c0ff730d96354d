// Settings, Feed: the order in which Home opens, and link previews, for this browser.
import { useState } from 'react';
import type { User } from '@/api/schema.gen';
import { switchLinkCards, useLinkCards } from '@/features/posts/link-cards';
import { feedSorts, storedSort, storeSort } from '@/features/posts/sort';
import { useTranslation } from '@/i18n/use-translation';
import { Segmented } from '@/ui/segmented';
import { Switch } from '@/ui/switch';
import { SettingsSection } from './settings-section';

/** Also needs the texts of `posts`. */
export function FeedSection({ user }: { user: User }) {
  const { t } = useTranslation(['settings', 'posts']);
  const [sort, setSort] = useState(() => storedSort(user.id));
  const hasLinkCards = useLinkCards();
  return (
    <SettingsSection title={t('feed.title')} about={t('feed.about')}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 text-ui font-medium">
        <span aria-hidden="true">{t('feed.order')}</span>
        <Segmented
          label={t('feed.order')}
          options={feedSorts.map((value) => ({ value, label: t(`posts:sort.${value}`) }))}
          value={sort}
          onChange={(chosen) => {
            setSort(chosen);
            storeSort(user.id, chosen);
          }}
        />
      </div>
      <div className="-mb-3 mt-3 border-t">
        <Switch
          label={t('feed.linkPreviews')}
          hint={t('feed.linkPreviewsHint')}
          checked={hasLinkCards}
          onChange={switchLinkCards}
        />
      </div>
    </SettingsSection>
  );
}

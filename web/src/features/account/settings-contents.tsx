// Links to the sections of the settings, in their order.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isUnknown } from '@/api/error';
import { pushQuery } from '@/api/queries';
import { useTranslation } from '@/i18n/use-translation';

export type SettingsAnchor = keyof ReturnType<typeof useTitles>;

function useTitles() {
  const { t } = useTranslation(['settings', 'passkeys', 'commands', 'notifications', 'push']);
  return {
    password: t('password.title'),
    security: t('sessions.title'),
    passkeys: t('passkeys:title'),
    recovery: t('recovery.title'),
    authenticator: t('totp.title'),
    appearance: t('appearance.title'),
    keyboard: t('commands:shortcuts.title'),
    notifications: t('notifications:settings.title'),
    push: t('push:title'),
    feed: t('feed.title'),
    privacy: t('privacy.title'),
    blocks: t('blocks.title'),
    data: t('data.title'),
    deletion: t('closing.title'),
  };
}

export function SettingsContents() {
  const { t } = useTranslation('settings');
  // As the section itself.
  const hasPush = !isUnknown(useQuery(pushQuery).error);
  const titles = Object.entries(useTitles()).filter(([anchor]) => anchor !== 'push' || hasPush);
  return (
    <nav aria-label={t('contents')} className="mb-7">
      <ul className="flex flex-wrap gap-2 pointer-coarse:gap-y-3">
        {titles.map(([anchor, title]) => (
          <li key={anchor}>
            <Link
              to={`#${anchor}`}
              className="reach inline-flex h-8 items-center rounded-full border bg-card px-3 text-caption font-medium hover:bg-hover"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

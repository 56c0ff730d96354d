// The unsent posts or comments of one place. Their code loads only if the member has some.
import { withTexts } from '@/i18n/load-texts';
import { useAuth } from '@/session/auth';
import { useDeviceValue } from '@/session/use-device-value';
import { lazyOptional } from '@/ui/lazy-optional';
import { postingsKey } from './postings-key';
import type { UnsentPlace } from './unsent-list';

const UnsentList = lazyOptional(async () => (await withTexts(import('./unsent-list'), 'unsent')).UnsentList);

/** Needs the texts of `posts`. */
export function Unsent(place: UnsentPlace) {
  const { user } = useAuth();
  const text = useDeviceValue(user && postingsKey(user.id));
  return user && text && <UnsentList memberId={user.id} text={text} {...place} />;
}

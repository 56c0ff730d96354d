// The header controls of a member: search, language, notifications, log out, avatar.
import { LogOut, Search } from 'lucide-react';

import { Link } from 'react-router';
import type { Me } from '@/api/types';
import { SearchBox } from '@/features/search/search-box';
import { loadTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { Live } from '@/live/live';
import { paths, searchFieldFocused } from '@/paths';
import { useSignOut } from '@/session/use-sign-out';
import { Avatar } from '@/ui/avatar';
import { Button, buttonClass } from '@/ui/button';
import { lazyOptional } from '@/ui/lazy-optional';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { LanguageSwitcher } from './language-switcher';
import { NotificationsButton } from './notifications-button';
import { OfflineNotice } from './offline-notice';
import { SendUnsent } from './send-unsent';
import { SessionRenewal } from './session-renewal';
import { UnreadTitle } from './unread-title';

/** All header controls appear together, with their texts: one that came later would move the others. */
export async function loadMemberControls() {
  await loadTexts('member');
  return MemberControls;
}

/** Loads for moderators and stewards only. */
const LazyRoleLinks = lazyOptional(async () => {
  await loadTexts('mark');
  return (await import('./role-links')).RoleLinks;
});

/** Needs the texts of `member`. */
function MemberControls({ user }: { user: Me }) {
  const { t } = useTranslation('shell');
  const signOut = useSignOut();
  return (
    <>
      <Live memberId={user.id} />
      <SessionRenewal member={user} />
      <SendUnsent memberId={user.id} />
      <UnreadTitle />
      <OfflineNotice member={user} />
      <SearchBox />
      <Link
        to={paths.search()}
        {...searchFieldFocused}
        aria-label={t('nav.search')}
        className={buttonClass({ variant: 'ghost', iconOnly: true, className: 'md:hidden' })}
      >
        <Search className="icon" aria-hidden="true" />
      </Link>
      {(user.moderator || user.stewardOf) && (
        <LazyRoleLinks
          user={user}
          // As wide as a link: who has both roles sees the others move once.
          fallback={<span className="w-9 max-md:hidden" />}
        />
      )}
      <LanguageSwitcher nameFrom="xl" />
      <NotificationsButton />
      <TooltipGroup>
        <Tooltip label={t('nav.logOut')}>
          <Button
            variant="ghost"
            iconOnly
            className="max-md:hidden"
            aria-label={t('nav.logOut')}
            onClick={() => void signOut()}
          >
            <LogOut className="icon" aria-hidden="true" />
          </Button>
        </Tooltip>
        <Tooltip label={t('nav.myProfile')}>
          <Link to={paths.profile(user.id)} className="ml-1.5 flex rounded-full">
            <Avatar user={user} size={36} />
          </Link>
        </Tooltip>
      </TooltipGroup>
    </>
  );
}

// The header controls of a member: search, language, notifications, log out, avatar.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, LogOut, Search } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import { unreadQuery } from '@/api/queries';
import type { Me } from '@/api/session';
import { boxesOf } from '@/features/messages/outbox-key';
import { postingsKey } from '@/features/posts/postings-key';
import { SearchBox } from '@/features/search/search-box';
import { loadTexts, withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { useLiveEvent } from '@/live/events';
import { Live } from '@/live/live';
import { paths, searchFieldFocused } from '@/paths';
import { readDevice } from '@/session/device-store';
import { useSignOut } from '@/session/use-sign-out';
import { Avatar } from '@/ui/avatar';
import { Button, buttonClass } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import { lazy } from '@/ui/lazy';
import { lazyOptional } from '@/ui/lazy-optional';
import { OnDemand } from '@/ui/on-demand';
import { Tooltip, TooltipGroup } from '@/ui/tooltip';
import { LanguageSwitcher } from './language-switcher';
import { OfflineNotice } from './offline-notice';
import { SessionRenewal } from './session-renewal';

/** All header controls appear together, with their texts: one that came later would move the others. */
export async function loadMemberControls() {
  await loadTexts('member');
  return MemberControls;
}

/** Loads for moderators and stewards only. */
const LazyRoleLinks = lazyOptional(async () => (await withTexts(import('./role-links'), 'mark')).RoleLinks);

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
        <Search className="icon" />
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
          <IconButton
            icon={LogOut}
            className="max-md:hidden"
            label={t('nav.logOut')}
            onClick={() => void signOut()}
          />
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

const NotificationsPopover = lazy(
  async () => (await withTexts(import('./notifications-popover'), 'notifications')).NotificationsPopover,
);

function NotificationsButton() {
  const { t } = useTranslation('member');
  const unread = useQuery(unreadQuery).data?.notifications ?? 0;
  return (
    <OnDemand
      load={NotificationsPopover.load}
      floating={(trigger) => <NotificationsPopover trigger={trigger} />}
    >
      {(handlers) => (
        <Button
          variant="ghost"
          iconOnly
          aria-label={unread > 0 ? t('unreadNotifications', { count: unread }) : t('notifications')}
          aria-haspopup="dialog"
          {...handlers}
        >
          <Bell className="icon" />
          {unread > 0 && (
            <span
              className="absolute top-1.5 right-2 size-2 rounded-full bg-gold ring-2 ring-card"
              aria-hidden="true"
            />
          )}
        </Button>
      )}
    </OnDemand>
  );
}

/**
 * Sends what the member has not sent: when the client starts, and when network or server return. The code of an outbox loads
 * only if there is something to send.
 */
function SendUnsent({ memberId }: { memberId: string }) {
  const queryClient = useQueryClient();
  const send = useEffectEvent(() => {
    // Still offline: the next event retries.
    const later = () => undefined;
    if (boxesOf(memberId).length > 0)
      import('@/features/messages/outbox').then(
        ({ sendMessages }) => sendMessages(memberId, queryClient),
        later,
      );
    if (readDevice(postingsKey(memberId)) !== null)
      import('@/features/posts/postings-outbox').then(
        ({ sendPostings }) => sendPostings(memberId, queryClient),
        later,
      );
  });
  // The stream is open again.
  useLiveEvent(({ kind }) => {
    if (kind === 'hello') send();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each member.
  useEffect(() => {
    const onOnline = () => send();
    onOnline();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [memberId]);
  return null;
}

/** The number of unread messages and notifications before the title of the page, and on the icon of the installed app. */
function UnreadTitle() {
  const { data } = useQuery(unreadQuery);
  const unread = data ? data.messages + data.notifications : 0;

  useEffect(() => {
    if (unread === 0) return;
    mark(unread);
    // Each screen writes its own title.
    const observer = new MutationObserver(() => mark(unread));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      mark(0);
    };
  }, [unread]);

  useEffect(() => {
    if (unread > 0) void navigator.setAppBadge?.(unread).catch(() => undefined);
    else void navigator.clearAppBadge?.().catch(() => undefined);
  }, [unread]);
  useEffect(() => () => void navigator.clearAppBadge?.().catch(() => undefined), []);

  return null;
}

const most = 99;

function mark(unread: number): void {
  const title = document.title.replace(/^\(\d+\+?\) /, '');
  const marked = unread > 0 ? `(${unread > most ? `${most}+` : unread}) ${title}` : title;
  if (title && document.title !== marked) document.title = marked;
}

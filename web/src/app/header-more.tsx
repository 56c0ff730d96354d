// The More button of a member's header. Its panel loads on first use.
import { ChevronDown } from 'lucide-react';
import { useLocation } from 'react-router';
import type { Me } from '@/api/session';
import { withTexts } from '@/i18n/load-texts';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { lazy } from '@/ui/lazy';
import { OnDemand } from '@/ui/on-demand';
import { useOpening } from '@/ui/use-opening';
import { headerPlaces, isInMore } from './navigation';

const MorePanel = lazy(async () => (await withTexts(import('./more-panel'), 'commands')).MorePanel);
const ShortcutsDialog = lazy(
  async () => (await withTexts(import('@/features/commands/shortcuts-dialog'), 'commands')).ShortcutsDialog,
);

export function MoreButton({ user }: { user: Me }) {
  const { t } = useTranslation('shell');
  const shortcuts = useOpening();
  const look = lookOn(user, useLocation().pathname);
  return (
    <>
      <OnDemand
        load={MorePanel.load}
        floating={(trigger) => <MorePanel user={user} trigger={trigger} onShortcuts={shortcuts.open} />}
      >
        {(handlers) => (
          <button
            type="button"
            aria-haspopup="dialog"
            className={`header-link cursor-pointer gap-1 ${look}`}
            {...handlers}
          >
            {t('nav.more')}
            <ChevronDown className="size-3.5" aria-hidden="true" />
          </button>
        )}
      </OnDemand>
      {shortcuts.nr > 0 && (
        <ShortcutsDialog
          open={shortcuts.isOpen}
          onOpenChange={(open) => (open ? shortcuts.open() : shortcuts.close())}
        />
      )}
    </>
  );
}

/** The button is highlighted as a link is, on the screens of its panel: in a narrow header also on those that a wide one links. */
function lookOn(user: Me, pathname: string): string {
  if (!isInMore(user, pathname) || pathname === paths.search()) return '';
  const isLinked = headerPlaces(user).some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return isLinked
    ? 'max-[68.75rem]:text-foreground max-[68.75rem]:after:bg-gold'
    : 'text-foreground after:bg-gold';
}

// The frame of a settings page: the menu of all six, beside the page or above it on a phone, and the heading.
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { Page, PageHeading } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';
import { type SettingsPageName, settingsPages } from './settings-pages';

interface SettingsPageProps {
  name: SettingsPageName;
  lead: string;
  children: ReactNode;
}

/** Needs the texts of `settings`. */
export function SettingsPage({ name, lead, children }: SettingsPageProps) {
  const { t } = useTranslation('settings');
  const meta = settingsPages.find((page) => page.name === name)?.meta ?? 'settings';
  return (
    <Page>
      <PageMeta page={meta} />
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[13rem_minmax(0,1fr)] md:gap-6 xl:grid-cols-[16rem_minmax(0,1fr)]">
        <SettingsMenu />
        <div className="min-w-0">
          <PageHeading title={t(`pages.${name}`)} lead={lead} />
          <div className="space-y-8">{children}</div>
        </div>
      </div>
    </Page>
  );
}

function SettingsMenu() {
  const { t } = useTranslation('settings');
  return (
    <nav
      aria-labelledby="settings-menu"
      className="md:sticky md:top-20 md:rounded-lg md:border md:bg-card md:p-2 md:shadow-card"
    >
      <p
        id="settings-menu"
        className="text-caption font-semibold text-muted-foreground max-md:mb-2 md:px-3 md:pt-1.5 md:pb-1"
      >
        {t('title')}
      </p>
      <ul className="flex flex-wrap gap-2 pointer-coarse:gap-y-3 md:block">
        {settingsPages.map(({ name, to, icon: Icon }) => (
          <li key={name}>
            <NavLink
              to={to}
              end={to === paths.settings}
              className="reach flex items-center gap-2.5 text-ui font-medium text-muted-foreground -outline-offset-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-foreground max-md:h-8 max-md:rounded-full max-md:border max-md:bg-card max-md:px-3 max-md:text-caption md:rounded-md md:px-3 md:py-2.5"
            >
              <Icon className="icon-sm shrink-0 max-md:hidden" />
              {t(`pages.${name}`)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

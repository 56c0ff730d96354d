// The table of the settings pages, in the order of their menu, and the places of the sections that had a hash of /settings.
import { Bell, KeyRound, type LucideIcon, Palette, Rss, Shield, UserRound } from 'lucide-react';
import { paths } from '@/paths';

export type SettingsPageName = (typeof settingsPages)[number]['name'];

/** The hash of the address of a section. */
export type SettingsAnchor =
  | 'password'
  | 'data'
  | 'deletion'
  | 'sessions'
  | 'passkeys'
  | 'recovery'
  | 'authenticator'
  | 'push'
  | 'blocks'
  | 'mutes'
  | 'keyboard';

/** `meta` is the key of the title and the description of the page. */
export const settingsPages = [
  { name: 'account', meta: 'settings', to: paths.settings, icon: UserRound },
  { name: 'security', meta: 'securitySettings', to: paths.securitySettings, icon: KeyRound },
  { name: 'notifications', meta: 'notificationSettings', to: paths.notificationSettings, icon: Bell },
  { name: 'privacy', meta: 'privacySettings', to: paths.privacySettings, icon: Shield },
  { name: 'feed', meta: 'feedSettings', to: paths.feedSettings, icon: Rss },
  { name: 'appearance', meta: 'appearanceSettings', to: paths.appearanceSettings, icon: Palette },
] as const satisfies readonly { name: string; meta: string; to: string; icon: LucideIcon }[];

/**
 * Settings were one page, and links of that time have its hashes: those of older notifications, of bookmarks, and of the
 * documents that members kept.
 */
const moved = new Map<string, string>([
  ['#security', paths.sessions],
  ['#passkeys', `${paths.securitySettings}#passkeys`],
  ['#recovery', `${paths.securitySettings}#recovery`],
  ['#authenticator', `${paths.securitySettings}#authenticator`],
  ['#appearance', paths.appearanceSettings],
  ['#keyboard', `${paths.appearanceSettings}#keyboard`],
  ['#notifications', paths.notificationSettings],
  ['#push', `${paths.notificationSettings}#push`],
  ['#feed', paths.feedSettings],
  ['#privacy', paths.privacySettings],
  ['#blocks', `${paths.privacySettings}#blocks`],
]);

/** Undefined for a section that is still on /settings, and for an unknown hash. */
export const movedSection = (hash: string): string | undefined => moved.get(hash);

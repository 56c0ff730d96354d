// The groups of commands for the text in the palette.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  CalendarPlus,
  Globe,
  Keyboard,
  Landmark,
  LogOut,
  type LucideIcon,
  Moon,
  Pencil,
  PenLine,
  Search,
  UsersRound,
} from 'lucide-react';
import { useNavigate } from 'react-router';
import type { User } from '@/api/schema.gen';
import { peopleQuery } from '@/api/search';
import { languageNames, languages } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { useSignOut } from '@/session/use-sign-out';
import { chooseLanguage } from '@/ui/choose-language';
import { starting } from '@/ui/start-request';
import { chooseTheme, themes, useTheme } from '@/ui/theme';
import { useDebounced } from '@/ui/use-debounced';
import type { Command } from './command';
import { type CommandGroup, matching } from './command';
import { usePlaces } from './use-places';

/** The debounce of the people, in milliseconds. */
const pause = 200;

/** The groups that are not empty. People are last: they arrive late and must not move the selected option. */
export function useCommands(text: string, onHelp: () => void): CommandGroup[] {
  const { t } = useTranslation('commands');
  const { user } = useAuth();
  const navigate = useNavigate();
  const q = text.trim();
  const asked = useDebounced(q, pause);
  const places = usePlaces(user);
  const actions = useActions(user, onHelp);
  const { data: people } = useQuery({
    ...peopleQuery(asked),
    enabled: user !== null && asked !== '',
    placeholderData: keepPreviousData,
  });
  const groups: CommandGroup[] = [
    { name: 'places', commands: matching(places, q) },
    { name: 'actions', commands: matching(actions, q) },
    {
      name: 'search',
      commands: q
        ? [
            {
              key: 'search',
              label: t('searchFor', { q }),
              icon: Search,
              run: () => void navigate(paths.search(q)),
            },
          ]
        : [],
    },
    {
      name: 'people',
      commands: (q && user ? (people ?? []) : []).map((person) => ({
        key: person.id,
        label: person.fullName,
        about: person.headline ?? person.school,
        person,
        run: () => void navigate(paths.profile(person.id)),
      })),
    },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}

function useActions(user: User | null, onHelp: () => void): Command[] {
  const { t, i18n } = useTranslation(['commands', 'shell']);
  const navigate = useNavigate();
  const signOut = useSignOut();
  const theme = useTheme();
  if (!user) return [];
  const start = (key: Parameters<typeof starting>[0], to: string, icon: LucideIcon): Command => ({
    key,
    label: t(`actions.${key}`),
    icon,
    run: () => void navigate(to, starting(key)),
  });
  return [
    start('post', paths.home, PenLine),
    start('event', paths.events, CalendarPlus),
    start('community', paths.communities, Landmark),
    start('group', paths.messages, UsersRound),
    start('profile', paths.profile(user.id), Pencil),
    // Only actions that change something.
    ...themes
      .filter((other) => other !== theme)
      .map((other) => ({
        key: `theme-${other}`,
        label: t('actions.theme', { theme: t(`shell:theme.${other}`) }),
        icon: Moon,
        run: () => chooseTheme(other),
      })),
    ...languages
      .filter((other) => other !== i18n.language)
      .map((other) => ({
        key: `language-${other}`,
        label: t('actions.language', { language: languageNames[other] }),
        icon: Globe,
        run: () => chooseLanguage(other),
      })),
    { key: 'help', label: t('shortcuts.title'), icon: Keyboard, run: onHelp },
    { key: 'sign-out', label: t('shell:nav.logOut'), icon: LogOut, run: () => void signOut() },
  ];
}

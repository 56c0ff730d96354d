// The actions that the palette offers to a member.
import { Globe, Keyboard, LogOut, Moon, PenLine } from 'lucide-react';
import { useNavigate } from 'react-router';
import { composerOpened } from '@/features/posts/start-request';
import { languageNames, languages } from '@/i18n/i18n';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useSignOut } from '@/session/use-sign-out';
import { chooseLanguage } from '@/ui/choose-language';
import { chooseTheme, themes, useTheme } from '@/ui/theme';
import type { Command } from './command';

/** Needs the texts of `commands`. */
export function useActions(onHelp: () => void): Command[] {
  const { t, i18n } = useTranslation(['commands', 'shell']);
  const navigate = useNavigate();
  const signOut = useSignOut();
  const theme = useTheme();
  return [
    {
      key: 'post',
      label: t('actions.post'),
      icon: PenLine,
      run: () => void navigate(paths.home, composerOpened),
    },
    // Only those that change something.
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

// The groups of commands for the text in the palette.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useNavigate } from 'react-router';
import { peopleQuery } from '@/api/search';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { useAuth } from '@/session/auth';
import { useDebounced } from '@/ui/use-debounced';
import { type CommandGroup, matching } from './command';
import { useActions } from './use-actions';
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

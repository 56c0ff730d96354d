// 'Suggested Connections': suggested members.
import { useQuery } from '@tanstack/react-query';
import { UserRoundSearch } from 'lucide-react';
import { knownItems } from '@/api/pages';
import { suggestionsQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { isDoublePress } from '@/ui/double-press';
import { EmptyCard } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { ConnectButton } from './connect-button';
import { keepFocusNear } from './keep-focus';
import { useIgnore, useWithoutIgnored } from './mutations';
import { PersonCard, personGrid } from './person-card';
import { useReason } from './reason';
import { CardSkeletons } from './skeletons';

export function Suggestions({ user }: { user: User }) {
  const { t } = useTranslation('network');
  const { data, isPending, refetch } = useQuery(suggestionsQuery(user.id));
  const people = useWithoutIgnored(knownItems(data));
  const reason = useReason();
  const ignore = useIgnore(user);
  if (isPending) return <CardSkeletons stacked />;
  if (!people) return <ErrorPanel onRetry={() => void refetch()}>{t('suggestionsFailed')}</ErrorPanel>;
  if (people.length === 0) {
    return <EmptyCard icon={UserRoundSearch} title={t('noSuggestions')} />;
  }
  return (
    <ul className={personGrid}>
      {people.map((person) => (
        <li key={person.id} className="grid grid-cols-1">
          <PersonCard person={person} note={reason(person)} stacked>
            <Button
              variant="ghost"
              size="sm"
              aria-label={t('ignorePerson', { name: person.fullName })}
              onClick={(event) => {
                if (isDoublePress(event)) return;
                keepFocusNear(event.currentTarget);
                ignore.mutate(person);
              }}
            >
              {t('ignore')}
            </Button>
            <ConnectButton user={user} person={person} className="max-sm:[&_svg]:hidden" />
          </PersonCard>
        </li>
      ))}
    </ul>
  );
}

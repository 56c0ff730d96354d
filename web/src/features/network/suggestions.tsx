// 'Suggested Connections': people one may know.
import { useQuery } from '@tanstack/react-query';
import { UserRoundSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { suggestionsQuery } from '@/api/queries';
import type { User } from '@/api/types';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { ConnectButton } from './connect-button';
import { PersonCard, personGrid } from './person-card';
import { CardSkeletons } from './skeletons';

export function Suggestions({ user }: { user: User }) {
  const { t } = useTranslation('network');
  const { data, isPending } = useQuery(suggestionsQuery(user.id));
  if (isPending) return <CardSkeletons />;
  if (!data) return <ErrorPanel>{t('suggestionsFailed')}</ErrorPanel>;
  if (data.length === 0) {
    return (
      <Card>
        <Empty icon={UserRoundSearch} title={t('noSuggestions')} />
      </Card>
    );
  }
  return (
    <ul className={personGrid}>
      {data.map((person) => (
        <li key={person.id} className="grid grid-cols-1">
          <PersonCard
            person={person}
            note={person.mutualConnections > 0 && t('mutual', { count: person.mutualConnections })}
            action={
              <ConnectButton user={user} person={person} className="shrink-0 max-sm:[&_svg]:hidden sm:mt-5" />
            }
          />
        </li>
      ))}
    </ul>
  );
}

// 'My Connections': one card per member.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { connectionsQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { EmptyCard } from '@/ui/empty';
import { PagedList } from '@/ui/paged-list';
import { MessageButton } from './message-button';
import { PersonCard, personGrid } from './person-card';
import { PersonMenu } from './person-menu';
import { CardSkeletons } from './skeletons';

export function Connections({ user, onFind }: { user: User; onFind: () => void }) {
  const { t } = useTranslation('network');
  return (
    <PagedList
      query={useInfiniteQuery(connectionsQuery(user.id))}
      skeleton={<CardSkeletons />}
      failed={t('connectionsFailed')}
      empty={
        <EmptyCard
          icon={Users}
          title={t('noConnections')}
          action={<Button onClick={onFind}>{t('find')}</Button>}
        />
      }
      more={t('moreConnections')}
    >
      {(connections) => (
        <ul className={personGrid}>
          {connections.map(
            ({ connectedUser, ...connection }) =>
              connectedUser && (
                <li key={connection.id} className="grid grid-cols-1">
                  <PersonCard
                    person={connectedUser}
                    menu={<PersonMenu person={connectedUser} connection={connection} size="sm" />}
                  >
                    <MessageButton person={connectedUser} size="sm">
                      {t('message')}
                    </MessageButton>
                  </PersonCard>
                </li>
              ),
          )}
        </ul>
      )}
    </PagedList>
  );
}

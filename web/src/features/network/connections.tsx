// 'My Connections': a card a person.
import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { connectionsQuery } from '@/api/queries';
import type { User } from '@/api/types';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { PersonCard, personGrid } from './person-card';
import { CardSkeletons } from './skeletons';

export function Connections({ user, onFind }: { user: User; onFind: () => void }) {
  const { t } = useTranslation('network');
  const { data, isPending } = useQuery(connectionsQuery(user.id));
  if (isPending) return <CardSkeletons />;
  if (!data) return <ErrorPanel>{t('connectionsFailed')}</ErrorPanel>;
  if (data.length === 0) {
    return (
      <Card>
        <Empty
          icon={Users}
          title={t('noConnections')}
          action={<Button onClick={onFind}>{t('find')}</Button>}
        />
      </Card>
    );
  }
  return (
    <ul className={personGrid}>
      {data.map(
        ({ id, connectedUser }) =>
          connectedUser && (
            <li key={id} className="grid grid-cols-1">
              <PersonCard person={connectedUser} />
            </li>
          ),
      )}
    </ul>
  );
}

// The jurisdictions and interests on a profile.
import type { ReactNode } from 'react';
import type { User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Card, CardHeading } from '@/ui/card';
import { useFocus } from './focus';

interface FocusCardProps {
  user: User;
  /** Opens the editor; present for the owner. */
  action?: ReactNode;
}

/** Nothing without any. Needs the texts of `focus`. */
export function FocusCard({ user, action }: FocusCardProps) {
  const { t } = useTranslation('focus');
  const { jurisdictionName, interestName } = useFocus();
  // A response may lack the fields.
  const jurisdictions = (user.jurisdictions ?? []).map(jurisdictionName).filter((name) => name !== null);
  const interests = (user.interests ?? []).map(interestName).filter((name) => name !== null);
  if (jurisdictions.length + interests.length === 0) return null;
  return (
    <Card className="p-5" aria-label={t('title')}>
      <CardHeading action={action}>{t('title')}</CardHeading>
      <dl className="mt-2 space-y-3">
        <Names title={t('jurisdictions')} names={jurisdictions} />
        <Names title={t('interests')} names={interests} />
      </dl>
    </Card>
  );
}

function Names({ title, names }: { title: string; names: string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <dt className="text-caption text-muted-foreground">{title}</dt>
      <dd className="mt-1.5 flex flex-wrap gap-2">
        {names.map((name) => (
          <span key={name} className="rounded-md bg-muted px-2 py-0.5 text-caption font-medium">
            {name}
          </span>
        ))}
      </dd>
    </div>
  );
}

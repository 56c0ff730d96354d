// The left cards of a profile: About, Experience, Education.
import { Building2, GraduationCap, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Education, Experience, ProfileView, User } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { Card, CardHeading } from '@/ui/card';
import { EditIcon } from './edit-icon';
import type { EditTab } from './edit-tabs';
import { useFocus } from './focus';

interface ProfileCardsProps {
  view: ProfileView;
  /** Opens the editor; present for the owner. */
  onEdit?: (tab: EditTab) => void;
}

export function ProfileCards({ view: { user, profile }, onEdit }: ProfileCardsProps) {
  const { t } = useTranslation(['profile', 'focus']);
  const icon = (tab: EditTab, card: string) =>
    onEdit && <EditIcon label={t('editCard', { card })} onClick={() => onEdit(tab)} />;
  return (
    <>
      <Card className="p-5" aria-label={t('about')}>
        <CardHeading action={icon('basic', t('about'))}>{t('about')}</CardHeading>
        <p dir="auto" className="mt-2 whitespace-pre-line text-body wrap-anywhere">
          {profile.bio || t('noBio')}
        </p>
      </Card>
      <FocusCard user={user} action={icon('basic', t('focus:title'))} />
      <Card className="p-5" aria-label={t('experience')}>
        <CardHeading action={icon('experience', t('experience'))}>{t('experience')}</CardHeading>
        <Entries empty={t('noExperience')}>
          {profile.experiences.map((entry) => (
            <ExperienceEntry key={entry.id ?? `${entry.company} ${entry.startDate}`} entry={entry} />
          ))}
        </Entries>
      </Card>
      <Card className="p-5" aria-label={t('education')}>
        <CardHeading action={icon('education', t('education'))}>{t('education')}</CardHeading>
        <Entries empty={t('noEducation')}>
          {profile.education.length > 0
            ? profile.education.map((entry) => (
                <EducationEntry key={entry.id ?? `${entry.institution} ${entry.startDate}`} entry={entry} />
              ))
            : user.school && [
                <Entry
                  key="school"
                  icon={GraduationCap}
                  title={user.school}
                  subtitle={t('degree')}
                  meta={user.graduationYear && t('expected', { year: user.graduationYear })}
                />,
              ]}
        </Entries>
      </Card>
    </>
  );
}

function Entries({ empty, children }: { empty: string; children: ReactNode[] | null | '' }) {
  return children?.length ? (
    <ul className="mt-4 space-y-5">{children}</ul>
  ) : (
    <p className="mt-2 text-body text-muted-foreground">{empty}</p>
  );
}

function ExperienceEntry({ entry }: { entry: Experience }) {
  const period = usePeriod(entry.startDate, entry.isCurrentPosition ? null : entry.endDate);
  return (
    <Entry
      icon={Building2}
      title={entry.title}
      subtitle={entry.company}
      meta={[period, entry.location].filter(Boolean).join(' · ')}
      text={entry.description}
    />
  );
}

function EducationEntry({ entry }: { entry: Education }) {
  const period = usePeriod(entry.startDate, entry.endDate);
  return (
    <Entry
      icon={GraduationCap}
      title={entry.institution}
      subtitle={[entry.degree, entry.fieldOfStudy].filter(Boolean).join(', ')}
      meta={period}
      text={entry.description}
    />
  );
}

/** Formats a period from two months (YYYY-MM), for example "Jun 2026 to present". */
function usePeriod(start: string, end: string | null): string {
  const { t, i18n } = useTranslation('profile');
  const month = (value: string) =>
    formatDate(i18n.language, `${value}-01T00:00:00Z`, {
      year: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    }) ?? value;
  return t('period', { from: month(start), to: end ? month(end) : t('present') });
}

interface EntryProps {
  icon: LucideIcon;
  title: string;
  subtitle: string;
  meta?: string | null;
  text?: string | null;
}

function Entry({ icon: Icon, title, subtitle, meta, text }: EntryProps) {
  return (
    <li className="flex gap-3.5">
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-muted text-muted-foreground">
        <Icon className="icon" />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p dir="auto" className="text-ui font-semibold">
          {title}
        </p>
        <p dir="auto" className="text-ui">
          {subtitle}
        </p>
        {meta && <p className="text-caption text-muted-foreground">{meta}</p>}
        {text && (
          <p dir="auto" className="mt-1.5 whitespace-pre-line text-caption text-muted-foreground">
            {text}
          </p>
        )}
      </div>
    </li>
  );
}

interface FocusCardProps {
  user: User;
  /** Opens the editor; present for the owner. */
  action?: ReactNode;
}

/** Nothing without any. */
function FocusCard({ user, action }: FocusCardProps) {
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

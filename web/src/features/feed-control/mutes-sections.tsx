// Feed settings: the mutes of each kind, with a form for words and communities.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { mutesQuery } from '@/api/feed-control';
import { itemsOf } from '@/api/pages';
import { communitiesQuery } from '@/api/queries';
import type { Mute } from '@/api/schema.gen';
import { SettingsSection } from '@/features/account/settings-section';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { ErrorPanel } from '@/ui/error-panel';
import { SelectField, TextField } from '@/ui/field';
import { Loading } from '@/ui/skeleton';
import { type Duration, DurationChoice } from './duration-choice';
import { useMute, useUnmute } from './use-muting';

/** Needs the texts of `feeds`. */
export function MutesSections() {
  return (
    <>
      <Section kind="word" />
      <Section kind="member" />
      <Section kind="community" />
    </>
  );
}

const texts = { word: 'words', member: 'members', community: 'communities' } as const;

function Section({ kind }: { kind: Mute['kind'] }) {
  const { t } = useTranslation('feeds');
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: mutes, isPending, refetch } = useQuery(mutesQuery);
  const text = texts[kind];
  const own = mutes?.filter((mute) => mute.kind === kind);
  return (
    <SettingsSection title={t(`settings.${text}`)} about={t(`settings.${text}About`)} headingRef={heading}>
      {kind === 'word' && <WordForm />}
      {kind === 'community' && <CommunityForm muted={own ?? []} />}
      {isPending ? (
        <Loading bars={['my-2 h-4 w-40']} />
      ) : !own ? (
        <ErrorPanel onRetry={() => void refetch()}>{t('settings.failed')}</ErrorPanel>
      ) : own.length === 0 ? (
        <p className="text-body text-muted-foreground">{t(`settings.${text}None`)}</p>
      ) : (
        <ul className="-my-2 divide-y">
          {own.map((mute) => (
            <MuteRow key={mute.id} mute={mute} onUnmuted={() => heading.current?.focus()} />
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}

function MuteRow({ mute, onUnmuted }: { mute: Mute; onUnmuted: () => void }) {
  const { t, i18n } = useTranslation('feeds');
  const unmute = useUnmute(onUnmuted);
  // A community that the member left has no name here.
  const name = mute.word ?? mute.user?.fullName ?? (mute.community?.name || t('settings.communityLeft'));
  const date =
    mute.expiresAt &&
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(mute.expiresAt),
    );
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="text-ui font-semibold wrap-anywhere">{name}</p>
        <p className="text-caption text-muted-foreground">
          {date ? t('settings.until', { date }) : t('settings.always')}
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={t('settings.unmuteNamed', { name })}
        busy={unmute.isPending}
        onClick={() => unmute.mutate(mute)}
      >
        {t('settings.unmute')}
      </Button>
    </li>
  );
}

function WordForm() {
  const { t } = useTranslation('feeds');
  const [word, setWord] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [duration, setDuration] = useState<Duration>('forever');
  const mute = useMute(() => setWord(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!word.trim());
    if (word.trim() && !mute.isPending) mute.mutate({ kind: 'word', word: word.trim(), duration });
  };
  return (
    <form className="mb-5 space-y-3 border-b pb-5" onSubmit={submit} noValidate>
      <TextField
        label={t('word')}
        hint={t('wordHint')}
        maxLength={50}
        autoComplete="off"
        value={word}
        error={isMissing && !word.trim() ? t('emptyWord') : undefined}
        onChange={({ target }) => setWord(target.value)}
      />
      <FormEnd duration={duration} onDuration={setDuration} isPending={mute.isPending} />
    </form>
  );
}

function CommunityForm({ muted }: { muted: Mute[] }) {
  const { t } = useTranslation('feeds');
  const { data } = useInfiniteQuery(communitiesQuery);
  const [chosen, setChosen] = useState('');
  const [duration, setDuration] = useState<Duration>('forever');
  const mute = useMute(() => setChosen(''));
  const own = itemsOf(data).filter(
    ({ id, role }) => role !== null && !muted.some(({ community }) => community?.id === id),
  );
  if (own.length === 0) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen && !mute.isPending) mute.mutate({ kind: 'community', targetId: chosen, duration });
  };
  return (
    <form className="mb-5 space-y-3 border-b pb-5" onSubmit={submit}>
      <SelectField
        label={t('settings.community')}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{t('settings.chooseCommunity')}</option>
        {own.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <FormEnd duration={duration} onDuration={setDuration} isPending={mute.isPending} />
    </form>
  );
}

interface FormEndProps {
  duration: Duration;
  onDuration: (duration: Duration) => void;
  isPending: boolean;
}

function FormEnd({ duration, onDuration, isPending }: FormEndProps) {
  const { t } = useTranslation('feeds');
  return (
    <div className="flex flex-wrap items-center gap-3">
      <DurationChoice value={duration} onChange={onDuration} />
      <Button type="submit" busy={isPending} busyLabel={t('muting')}>
        {t('muteAction')}
      </Button>
    </div>
  );
}

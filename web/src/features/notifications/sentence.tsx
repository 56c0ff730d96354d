// What a notification says: who did what, the names in bold.
import type { TFunction } from 'i18next';
import type { Notification } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';

/** Stands around each bold part while a sentence is put together; no text that members write can hold it. */
const edge = '\u0000';

type Words = TFunction<'notifications'>;

/** Needs the texts of `notifications`, as everything here. */
export function Sentence({ of: notification }: { of: Notification }) {
  const { t } = useTranslation('notifications');
  // There are two names in it at most.
  const [start, first, between, second, end] = sentence(t, notification).split(edge);
  return (
    <>
      {start}
      {first && <b className="font-semibold">{first}</b>}
      {between}
      {second && <b className="font-semibold">{second}</b>}
      {end}
    </>
  );
}

function sentence(t: Words, { kind, subject, actors, actorCount }: Notification): string {
  const name = subject.name ?? nameless(t, kind);
  // No member caused it: the subject is the entity itself.
  if (kind === 'posting_closed') return t('did.posting_closed', { name: `${edge}${name}${edge}` });
  return t(`did.${kind}`, { who: who(t, actors, actorCount), name });
}

function who(t: Words, actors: Notification['actors'], actorCount: number): string {
  // An account that is gone has no id, and perhaps no member is left to name.
  const [first = `${edge}${t('formerMember')}${edge}`, second] = actors.map(
    ({ id, fullName }) => `${edge}${id ? fullName : t('formerMember')}${edge}`,
  );
  const others = Math.max(actorCount, actors.length) - 1;
  if (others <= 0) return t('who.one', { first });
  if (others === 1 && second) return t('who.two', { first, second });
  return t('who.more', { first, count: others });
}

/** In place of the name of something that has gone by now. */
function nameless(t: Words, kind: Notification['kind']): string {
  if (kind === 'posting_closed') return t('nameless.posting');
  if (kind.startsWith('event_')) return t('nameless.event');
  return t(kind === 'skill_endorsed' ? 'nameless.skill' : 'nameless.community');
}

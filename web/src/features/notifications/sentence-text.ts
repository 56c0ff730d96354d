// The text of a notification, shared by the screens and the service worker.
import type { TFunction } from 'i18next';
import type { Notification } from '@/api/schema.gen';
import { browserName } from '@/features/account/browser-name';
import { formatDate, listOf } from '@/i18n/format';
import { formatDeadline } from '@/i18n/format-deadline';
import { kindOf } from './kinds';

/** Delimits the bold parts of a sentence; member texts cannot contain this character. */
export const edge = '\u0000';

/** The stated reasons of a removal, except 'other'. */
const removalReasons = [
  'spam',
  'harassment',
  'false-information',
  'impersonation',
  'privileged-information',
  'illegal',
] as const;

/** The stated reasons of a removal from a community, except 'other'. */
const communityReasons = ['rules', 'off_topic', 'spam', 'harassment'] as const;

/** The causes of the end of a verification. */
const endCauses = ['operator', 'steward', 'name_changed', 'school_changed'] as const;

/** The causes of a security notice. */
const securityCauses = [
  'password_changed',
  'password_reset',
  'new_browser',
  'session_ended',
  'signed_out_everywhere',
  'recovery_codes_renewed',
  'passkey_created',
  'passkey_removed',
  'totp_added',
  'totp_removed',
  'totp_removed_by_operator',
  'sessions_revoked_by_operator',
  'passkeys_removed_by_operator',
  'suspension_overturned',
] as const;

type Translate = TFunction<'notifications'>;

export function sentence(t: Translate, language: string, notification: Notification): string {
  const { kind, subject, actors, actorCount, dueAt, origin } = notification;
  const name = subject.name ?? t(`nameless.${kindOf(notification)?.nameless ?? 'community'}`);
  // These have no actor: their subject is the entity itself.
  if (kind === 'posting_closed') return t('did.posting_closed', { name: `${edge}${name}${edge}` });
  if (kind === 'application_due')
    return t('did.application_due', {
      name: `${edge}${name}${edge}`,
      date: formatDeadline(language, dueAt) ?? '',
    });
  if (kind === 'content_removed') {
    const reason = removalReasons.find((one) => one === subject.name);
    return reason
      ? t('did.content_removed_for', { reason: t(`removalReasons.${reason}`) })
      : t('did.content_removed');
  }
  if (kind === 'community_content_removed') {
    const reason = communityReasons.find((one) => one === notification.reason);
    const place = `${edge}${name}${edge}`;
    return reason
      ? t('did.community_content_removed_for', { name: place, reason: t(`communityReasons.${reason}`) })
      : t('did.community_content_removed', { name: place });
  }
  if (kind === 'appeal_decided')
    return t(subject.name === 'overturned' ? 'did.appeal_overturned' : 'did.appeal_upheld');
  if (kind === 'verified')
    return subject.name ? t('did.verified_by', { name: `${edge}${subject.name}${edge}` }) : t('did.verified');
  if (kind === 'verification_ended') {
    const cause = endCauses.find((one) => one === subject.name);
    return t(`did.verification_ended_${cause ?? 'operator'}`);
  }
  if (kind === 'security') {
    const cause = securityCauses.find((one) => one === subject.name);
    const when = formatDate(language, origin?.at ?? notification.createdAt, {
      dateStyle: 'long',
      timeStyle: 'short',
    });
    const where = `${edge}${originText(t, origin)}${edge}`;
    // A copy from before an update of Portia has no list.
    if (cause === 'password_reset' && origin?.passkeys?.length)
      return t('did.security_password_reset_passkeys', {
        when: when ?? '',
        where,
        passkeys: listOf(language, origin.passkeys),
      });
    return t(`did.security_${cause ?? 'unknown'}`, { when: when ?? '', where });
  }
  const isInComment = kind === 'mentioned' && subject.postId !== null;
  return t(`did.${isInComment ? 'mentioned_in_comment' : kind}`, {
    who: actorNames(t, actors, actorCount),
    name,
  });
}

/** The browser and network of a security notice, as in the list of sessions. */
function originText(t: Translate, origin: Notification['origin']): string {
  const name = browserName(origin?.browser ?? '');
  const unknown = t('origin.unknown');
  const browser = name?.system
    ? t('origin.browserOn', { ...name, system: name.system })
    : (name?.browser ?? unknown);
  return origin?.address ? t('origin.at', { browser, address: origin.address }) : browser;
}

function actorNames(t: Translate, actors: Notification['actors'], actorCount: number): string {
  // A deleted account has no id, and there may be no actor left.
  const [first = `${edge}${t('formerMember')}${edge}`, second] = actors.map(
    ({ id, fullName }) => `${edge}${id ? fullName : t('formerMember')}${edge}`,
  );
  const others = Math.max(actorCount, actors.length) - 1;
  if (others <= 0) return t('who.one', { first });
  if (others === 1 && second) return t('who.two', { first, second });
  return t('who.more', { first, count: others });
}

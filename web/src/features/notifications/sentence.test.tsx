// The sentence of each kind of notification for one, two and many actors in both languages; and its target.
import { render } from '@testing-library/react';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Author, Notification, NotificationKind } from '@/api/schema.gen';
import { type Language, startI18n } from '@/i18n/i18n';
import { changeLanguage, loadTexts } from '@/i18n/load-texts';
import { marco, notificationOf } from '@/testing/notifications';
import { priya } from '@/testing/posts';
import { destination } from './destination';
import { Sentence } from './sentence';

beforeAll(async () => {
  startI18n();
  await loadTexts('notifications');
});

async function rendered(changes: Partial<Notification>, language: Language = 'en') {
  await changeLanguage(language);
  const { container, unmount } = render(<Sentence of={notificationOf(changes)} />);
  const sentence = container.textContent;
  const bold = [...container.querySelectorAll('b')].map(({ textContent }) => textContent);
  unmount();
  return { sentence, bold };
}

const name = 'Moot court finals';

test.each<[NotificationKind, string | null, string, string]>([
  ['post_liked', null, 'Priya Raghavan liked your post', 'Nag-like si Priya Raghavan sa post mo'],
  [
    'post_commented',
    null,
    'Priya Raghavan commented on your post',
    'Nagkomento si Priya Raghavan sa post mo',
  ],
  [
    'comment_replied',
    null,
    'Priya Raghavan replied to your comment',
    'Sumagot si Priya Raghavan sa komento mo',
  ],
  ['comment_liked', null, 'Priya Raghavan liked your comment', 'Nag-like si Priya Raghavan sa komento mo'],
  [
    'mentioned',
    null,
    'Priya Raghavan mentioned you in a post',
    'Nag-mention sa iyo si Priya Raghavan sa isang post',
  ],
  ['post_reposted', null, 'Priya Raghavan reposted your post', 'Nag-repost si Priya Raghavan ng post mo'],
  [
    'connection_requested',
    null,
    'Priya Raghavan sent you a connection request',
    'Nagpadala sa iyo si Priya Raghavan ng kahilingan sa koneksyon',
  ],
  [
    'connection_accepted',
    null,
    'Priya Raghavan accepted your connection request',
    'Pumayag si Priya Raghavan sa kahilingan mong kumonekta',
  ],
  [
    'skill_endorsed',
    'Legal Writing',
    'Priya Raghavan endorsed you for Legal Writing',
    'Nag-endorse sa iyo si Priya Raghavan para sa Legal Writing',
  ],
  [
    'community_joined',
    'Eastbay Law Review',
    'Priya Raghavan joined Eastbay Law Review',
    'Sumali si Priya Raghavan sa Eastbay Law Review',
  ],
  [
    'community_posted',
    'Eastbay Law Review',
    'Priya Raghavan posted in Eastbay Law Review',
    'Nag-post si Priya Raghavan sa Eastbay Law Review',
  ],
  [
    'event_attended',
    name,
    'Priya Raghavan will attend Moot court finals',
    'Dadalo si Priya Raghavan sa Moot court finals',
  ],
  [
    'event_changed',
    name,
    'Priya Raghavan changed when or where Moot court finals takes place',
    'Nagpalit si Priya Raghavan ng oras o lugar ng Moot court finals',
  ],
  [
    'event_cancelled',
    name,
    'Priya Raghavan called off Moot court finals',
    'Nagpasya si Priya Raghavan na huwag ituloy ang Moot court finals',
  ],
])('%s', async (kind, subject, english, filipino) => {
  const notification = { kind, subject: { id: 's', name: subject, postId: null } };
  expect(await rendered(notification)).toEqual({ sentence: english, bold: ['Priya Raghavan'] });
  expect(await rendered(notification, 'fil')).toEqual({ sentence: filipino, bold: ['Priya Raghavan'] });
});

describe('the number of actors', () => {
  const third: Author = { ...marco, id: 'third', fullName: 'Thea Lindqvist' };
  test.each<[string, Author[], number, string, string]>([
    [
      'two',
      [priya, marco],
      2,
      'Priya Raghavan and Marco Villanueva liked your post',
      'Nag-like sina Priya Raghavan at Marco Villanueva sa post mo',
    ],
    [
      'two, one of them with a name',
      [priya],
      2,
      'Priya Raghavan and 1 other liked your post',
      'Nag-like sina Priya Raghavan at 1 pa sa post mo',
    ],
    [
      'three',
      [priya, marco, third],
      3,
      'Priya Raghavan and 2 others liked your post',
      'Nag-like sina Priya Raghavan at 2 pa sa post mo',
    ],
    [
      'thousands',
      [priya, marco, third],
      1_235,
      'Priya Raghavan and 1,234 others liked your post',
      'Nag-like sina Priya Raghavan at 1,234 pa sa post mo',
    ],
  ])('%s', async (_, actors, actorCount, english, filipino) => {
    expect((await rendered({ actors, actorCount })).sentence).toBe(english);
    expect((await rendered({ actors, actorCount }, 'fil')).sentence).toBe(filipino);
  });

  test('both names of two actors are bold', async () => {
    const { bold } = await rendered({ actors: [priya, marco], actorCount: 2 });
    expect(bold).toEqual(['Priya Raghavan', 'Marco Villanueva']);
  });
});

test('a closed posting has no actor, and its title is emphasised', async () => {
  const notification = {
    kind: 'posting_closed' as const,
    actors: [],
    actorCount: 0,
    subject: { id: 'a', name: 'Summer Associate', postId: null },
  };
  expect(await rendered(notification)).toEqual({
    sentence: 'Summer Associate is no longer open. You applied for it.',
    bold: ['Summer Associate'],
  });
  expect((await rendered(notification, 'fil')).sentence).toBe(
    'Hindi na bukas ang Summer Associate. Nag-apply ka rito.',
  );
  expect((await rendered({ ...notification, subject: { id: 'a', name: null, postId: null } })).sentence).toBe(
    'A job is no longer open. You applied for it.',
  );
});

test('a reminder has no actor, and names the posting and the deadline', async () => {
  const notification = {
    kind: 'application_due' as const,
    actors: [],
    actorCount: 0,
    subject: { id: 'a', name: 'Summer Associate', postId: null },
    dueAt: '2026-12-15',
  };
  expect(await rendered(notification)).toEqual({
    sentence: 'Your application for Summer Associate is not sent to the employer yet. Apply by Dec 15, 2026.',
    bold: ['Summer Associate'],
  });
  expect((await rendered(notification, 'fil')).sentence).toBe(
    'Hindi mo pa naipapadala sa employer ang aplikasyon mo para sa Summer Associate. Mag-apply hanggang Dis 15, 2026.',
  );
  expect((await rendered({ ...notification, subject: { id: 'a', name: null, postId: null } })).sentence).toBe(
    'Your application for a job is not sent to the employer yet. Apply by Dec 15, 2026.',
  );
});

test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])('a deadline is the same date in %s', async (zone) => {
  vi.stubEnv('TZ', zone);
  const { sentence } = await rendered({ kind: 'application_due', dueAt: '2026-12-01' });
  expect(sentence).toMatch(/Apply by Dec 1, 2026\.$/);
  vi.unstubAllEnvs();
});

test('a deleted account is a former member, in the language of the screen', async () => {
  // The type does not allow it, but a deleted account has no id.
  const gone = { ...priya, id: null as unknown as string, fullName: 'Former member' };
  expect((await rendered({ actors: [gone] })).sentence).toBe('Former member liked your post');
  expect((await rendered({ actors: [gone] }, 'fil')).sentence).toBe('Nag-like si Dating kasapi sa post mo');
  expect((await rendered({ actors: [] })).sentence).toBe('Former member liked your post');
});

test('a subject without a name', async () => {
  const subject = { id: 's', name: null, postId: null };
  expect((await rendered({ kind: 'skill_endorsed', subject })).sentence).toBe(
    'Priya Raghavan endorsed you for one of your skills',
  );
  expect((await rendered({ kind: 'community_joined', subject })).sentence).toBe(
    'Priya Raghavan joined a community',
  );
  expect((await rendered({ kind: 'event_cancelled', subject })).sentence).toBe(
    'Priya Raghavan called off an event',
  );
});

test.each<[NotificationKind, string | null, string, string]>([
  [
    'content_removed',
    'spam',
    'Your content was removed after a report: Spam. See why, and how to appeal.',
    'Inalis ang isinulat mo matapos ang isang report: Spam. Tingnan kung paano umapela.',
  ],
  [
    'content_removed',
    'other',
    'Your content was removed after a report. See why, and how to appeal.',
    'Inalis ang isinulat mo matapos ang isang report. Tingnan kung bakit, at kung paano umapela.',
  ],
  [
    'appeal_decided',
    'overturned',
    'Your appeal was decided: the removal was overturned.',
    'Napagpasyahan ang apela mo: binaligtad ang pag-alis.',
  ],
  [
    'verified',
    null,
    'Portia has verified you: a mark appears next to your name.',
    'Na-verify ka ng Portia: may lalabas na marka sa tabi ng pangalan mo.',
  ],
  [
    'verification_ended',
    'name_changed',
    'You changed your name, which ended your verification.',
    'Pinalitan mo ang pangalan mo, kaya hindi ka na verified.',
  ],
  [
    'verification_ended',
    'a later cause',
    'Portia has ended your verification.',
    'Tinapos ng Portia ang pag-verify sa iyo.',
  ],
])('%s of %s has no name', async (kind, name, english, filipino) => {
  const notification = { kind, actors: [], actorCount: 0, subject: { id: 's', name, postId: null } };
  expect(await rendered(notification)).toEqual({ sentence: english, bold: [] });
  expect(await rendered(notification, 'fil')).toEqual({ sentence: filipino, bold: [] });
});

const origin = {
  browser: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  address: '203.0.113.7',
  at: '2026-11-26T01:00:00Z',
  passkeys: [],
};

test.each([
  [
    'password_changed',
    /^Your password was changed on .*2026.* from Firefox on Linux \(203\.0\.113\.7\)\. If it was not you, reset it/,
    /^Pinalitan ang password mo noong .*2026.* mula sa Firefox sa Linux \(203\.0\.113\.7\)\. Kung hindi ikaw iyon,/,
  ],
  ['password_reset', /^Your password was reset on /, /^Na-reset ang password mo noong /],
  [
    'new_browser',
    /^There was a sign-in .* new browser on .* end that session/,
    /^May nag-sign in sa account mo/,
  ],
  ['session_ended', /^One of your sessions was ended on /, /^Tinapos ang isa sa mga session mo/],
  ['signed_out_everywhere', /^You were signed out everywhere on /, /^Na-log out ka saanman/],
  ['recovery_codes_renewed', /^New recovery codes were created on /, /^Gumawa ng mga bagong recovery code/],
  ['passkey_created', /^A passkey was added on .* remove it in your settings/, /^Nagdagdag ng passkey noong/],
  ['passkey_removed', /^A passkey was removed on /, /^Nag-alis ng passkey noong/],
  ['totp_added', /^An authenticator app was set up for your account on /, /^Nag-set up ng authenticator app/],
  ['totp_removed', /^The authenticator app of your account was removed on /, /^Inalis ang authenticator app/],
  ['a later cause', /^The security of your account was changed on /, /^Binago ang seguridad ng account mo/],
])('a security notice of %s says what, when, where and what to do', async (name, english, filipino) => {
  const changes: Partial<Notification> = {
    kind: 'security',
    actors: [],
    actorCount: 0,
    subject: { id: 's', name, postId: null },
    origin,
  };
  expect((await rendered(changes)).sentence).toMatch(english);
  const { sentence, bold } = await rendered(changes, 'fil');
  expect(sentence).toMatch(filipino);
  expect(sentence).toContain('Kung hindi ikaw iyon');
  expect(bold).toEqual(['Firefox sa Linux (203.0.113.7)']);
});

test.each([
  [
    'totp_removed_by_operator',
    /^The operators of Portia removed the authenticator app/,
    /^Inalis ng mga operator ng Portia ang authenticator/,
  ],
  [
    'sessions_revoked_by_operator',
    /^The operators of Portia ended all your sessions/,
    /^Tinapos ng mga operator ng Portia/,
  ],
  [
    'passkeys_removed_by_operator',
    /^The operators of Portia removed all passkeys of your account/,
    /^Inalis ng mga operator ng Portia ang lahat ng passkey/,
  ],
  [
    'suspension_overturned',
    /^A moderator lifted the suspension of your account/,
    /^Inalis ng isang moderator ang suspensyon/,
  ],
])('a security notice of %s names the operators and no browser', async (name, english, filipino) => {
  const subject = { id: 's', name, postId: null };
  const changes: Partial<Notification> = { kind: 'security', actors: [], actorCount: 0, subject, origin };
  const shown = await rendered(changes);
  expect(shown.sentence).toMatch(english);
  expect(shown.sentence).not.toContain('Firefox');
  expect((await rendered(changes, 'fil')).sentence).toMatch(filipino);
});

test('the notice of a reset names the passkeys that still sign in', async () => {
  const subject = { id: 's', name: 'password_reset', postId: null };
  const reset = { ...origin, passkeys: ['Phone', 'Laptop'] };
  const changes: Partial<Notification> = {
    kind: 'security',
    actors: [],
    actorCount: 0,
    subject,
    origin: reset,
  };
  expect((await rendered(changes)).sentence).toContain('These passkeys still sign in: Phone and Laptop. If');
  expect((await rendered(changes, 'fil')).sentence).toMatch(
    /mga passkey na ito: Phone (at|and) Laptop\. Kung/,
  );
  const { passkeys: _, ...earlier } = reset;
  const copy = { ...changes, origin: earlier as typeof reset };
  expect((await rendered(copy)).sentence).not.toContain('passkey');
});

test('a security notice of an unknown browser says so', async () => {
  const unknown = { ...origin, browser: '', address: '' };
  const subject = { id: 's', name: 'new_browser', postId: null };
  const { bold } = await rendered({ kind: 'security', subject, origin: unknown });
  expect(bold).toEqual(['an unknown browser']);
});

test('the school that verified is named', async () => {
  const subject = { id: 's', name: 'Manila College of Law', postId: null };
  const { sentence, bold } = await rendered({ kind: 'verified', actors: [], actorCount: 0, subject });
  expect(sentence).toBe('Manila College of Law has verified you: a mark appears next to your name.');
  expect(bold).toEqual(['Manila College of Law']);
});

test.each<[string | null, string, string]>([
  [
    'off_topic',
    'Your content was removed from Moot Society by its moderators: off topic.',
    'Inalis ng mga moderator ng Moot Society ang isinulat mo roon: wala sa paksa.',
  ],
  [
    null,
    'Your content was removed from Moot Society by its moderators.',
    'Inalis ng mga moderator ng Moot Society ang isinulat mo roon.',
  ],
])('a removal from a community for %s names the community', async (reason, english, filipino) => {
  const notification = {
    kind: 'community_content_removed' as const,
    actors: [],
    reason,
    subject: { id: 's', name: 'Moot Society', postId: null },
  };
  expect((await rendered(notification)).sentence).toBe(english);
  expect((await rendered(notification, 'fil')).sentence).toBe(filipino);
});

test('a name is rendered as text', async () => {
  const sly = '{{who}} <b>$t(title)</b> &amp; {first}';
  const { sentence, bold } = await rendered({
    kind: 'community_joined',
    actors: [{ ...priya, fullName: sly }],
    subject: { id: 's', name: sly, postId: null },
  });
  expect(sentence).toBe(`${sly} joined ${sly}`);
  expect(bold).toEqual([sly]);
});

test.each<[NotificationKind, string | undefined]>([
  ['post_liked', '/posts/s'],
  ['post_commented', '/posts/s'],
  ['post_reposted', '/posts/s'],
  ['comment_replied', '/posts/p?comment=s'],
  ['comment_liked', '/posts/p?comment=s'],
  ['mentioned', '/posts/p?comment=s'],
  ['connection_requested', '/network?tab=requests'],
  ['connection_accepted', `/profile/${priya.id}`],
  ['skill_endorsed', '/profile/me'],
  ['community_joined', '/communities/s'],
  ['community_posted', '/communities/s'],
  ['event_attended', '/events/s'],
  ['event_changed', '/events/s'],
  ['event_cancelled', undefined],
  ['posting_closed', '/jobs?tab=applications'],
  ['application_due', '/jobs?tab=applications'],
  ['content_removed', '/appeals/s'],
  ['community_content_removed', '/communities/s'],
  ['appeal_decided', '/appeals/s'],
  ['verified', '/profile/me'],
  ['verification_ended', '/profile/me'],
  ['security', '/settings#security'],
])('%s links to %s', (kind, path) => {
  const subject = { id: 's', name: 'Legal Writing', postId: 'p' };
  expect(destination(notificationOf({ kind, subject }), 'me')?.path).toBe(path);
});

test('a mention in a post links to the post, one in a comment says so', async () => {
  const inPost = { id: 's', name: null, postId: null };
  expect(destination(notificationOf({ kind: 'mentioned', subject: inPost }), 'me')?.path).toBe('/posts/s');
  const { sentence } = await rendered({ kind: 'mentioned', subject: { id: 's', name: null, postId: 'p' } });
  expect(sentence).toBe('Priya Raghavan mentioned you in a comment');
});

test('an accepted request of an erased member links to the network', () => {
  expect(destination(notificationOf({ kind: 'connection_accepted', actors: [] }), 'me')?.path).toBe(
    '/network',
  );
});

test('an unknown kind has no target', () => {
  const kind = 'job_applied' as NotificationKind;
  expect(destination(notificationOf({ kind }), 'me')).toBeNull();
});

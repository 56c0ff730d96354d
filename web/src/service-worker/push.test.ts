// The notification that a push shows, and the screen that it opens when pressed.
import { expect, test, vi } from 'vitest';
import { compose, open, optionsOf, type Page, parsePush } from './push';

const id = '01930000-0000-7000-8000-000000000001';
const read = (answer: unknown) => vi.fn(async () => answer);
const failing = async () => {
  throw new Error('401');
};
const conversation = {
  id,
  otherUser: { id: 'ben', fullName: 'Ben Cruz' },
  lastMessage: 'See you at the moot court.',
};
const notice = (kind: string, fields: object = {}) => ({
  id,
  kind,
  subject: { id: 'subject', name: null, postId: null },
  actors: [{ id: 'ben', fullName: 'Ben Cruz' }],
  actorCount: 1,
  dueAt: null,
  ...fields,
});

test('only a push of this version is parsed', () => {
  const message = { kind: 'message', conversationId: id, language: 'fil' };
  expect(parsePush(`${JSON.stringify(message)}      `)).toEqual(message);
  expect(parsePush(JSON.stringify({ kind: 'notification', notificationId: id }))).toEqual({
    kind: 'notification',
    notificationId: id,
    language: 'en',
  });
  for (const text of [
    undefined,
    '',
    'null',
    '7',
    '{',
    '{"kind":"message"}',
    '{"kind":"message","conversationId":"../../evil"}',
    `{"kind":"other","conversationId":"${id}"}`,
  ])
    expect(parsePush(text)).toBeNull();
});

test('a message shows its sender and text, and replaces the earlier one of its conversation', async () => {
  const reader = read([{ ...conversation, id: 'other' }, conversation]);
  const shown = await compose({ kind: 'message', conversationId: id, language: 'en' }, reader);
  expect(shown).toEqual({
    title: 'Ben Cruz',
    body: 'See you at the moot court.',
    tag: id,
    path: `/messages/${id}`,
    language: 'en',
  });
  // Reading the conversation itself would mark it as read.
  expect(reader.mock.calls).toEqual([['/api/conversations?limit=20']]);
});

test('a message without a text says what is attached', async () => {
  const sent = async (lastAttachments: object, language: 'en' | 'fil') => {
    const reader = read([{ ...conversation, lastMessage: null, lastAttachments }]);
    return (await compose({ kind: 'message', conversationId: id, language }, reader)).body;
  };
  expect(await sent({ pictures: 1, file: false }, 'en')).toBe('Sent a picture');
  expect(await sent({ pictures: 3, file: false }, 'fil')).toBe('Nagpadala ng 3 larawan');
  expect(await sent({ pictures: 0, file: true }, 'en')).toBe('Sent a file');
});

test('a message of a closed account has no name', async () => {
  const reader = read([{ ...conversation, otherUser: { id: null, fullName: '' } }]);
  const shown = await compose({ kind: 'message', conversationId: id, language: 'fil' }, reader);
  expect(shown.title).toBe('Dating kasapi');
});

test('a message of a group names the group and its sender', async () => {
  const members = [
    { id: 'ben', fullName: 'Ben Cruz' },
    { id: 'ana', fullName: 'Ana Reyes' },
  ];
  const group = { title: 'Moot court', memberCount: 5, members, role: 'member' };
  const listed = { ...conversation, otherUser: null, group, lastSender: members[0] };
  const push = { kind: 'message', conversationId: id, language: 'en' } as const;
  expect(await compose(push, read([listed]))).toMatchObject({
    title: 'Moot court',
    body: 'Ben Cruz: See you at the moot court.',
  });
  const untitled = { ...listed, group: { ...group, title: null } };
  expect((await compose(push, read([untitled]))).title).toBe('Ben Cruz, Ana Reyes, and +2');
});

test('a plain sentence replaces what cannot be read', async () => {
  const message = { kind: 'message', conversationId: id } as const;
  const plain = { title: 'Portia', tag: id, path: `/messages/${id}` };
  for (const reader of [failing, read([]), read([{ ...conversation, lastMessage: null }]), read(null)]) {
    expect(await compose({ ...message, language: 'en' }, reader)).toEqual({
      ...plain,
      body: 'You have a new message.',
      language: 'en',
    });
  }
  expect((await compose({ ...message, language: 'fil' }, failing)).body).toBe('May bago kang mensahe.');
  const notification = { kind: 'notification', notificationId: id, language: 'en' } as const;
  expect(await compose(notification, failing)).toMatchObject({
    body: 'You have a new notification.',
    path: '/notifications',
  });
  expect((await compose(null, failing)).body).toBe('You have a new notification.');
});

test('the text of a request is never read', async () => {
  const reader = read([conversation]);
  const shown = await compose({ kind: 'request', conversationId: id, language: 'en' }, reader);
  expect(shown).toMatchObject({ title: 'Portia', body: 'You have a new message request.' });
  expect(reader).not.toHaveBeenCalled();
});

test.each([
  ['post_commented', {}, 'en', 'Ben Cruz commented on your post', '/posts/subject'],
  [
    'post_commented',
    { actorCount: 3 },
    'en',
    'Ben Cruz and 2 others commented on your post',
    '/posts/subject',
  ],
  ['post_commented', {}, 'fil', 'Nagkomento si Ben Cruz sa post mo', '/posts/subject'],
  [
    'mentioned',
    { subject: { id: 'comment', name: null, postId: 'post' } },
    'en',
    'Ben Cruz mentioned you in a comment',
    '/posts/post?comment=comment',
  ],
  ['connection_requested', {}, 'en', 'Ben Cruz sent you a connection request', '/network?tab=requests'],
  ['connection_accepted', {}, 'en', 'Ben Cruz accepted your connection request', '/profile/ben'],
  [
    'application_due',
    {
      actors: [],
      actorCount: 0,
      subject: { id: 'a', name: 'Law Clerk', postId: null },
      dueAt: '2026-11-30T04:00:00Z',
    },
    'en',
    /^Your application for Law Clerk is not sent to the employer yet\. Apply by .*2026\.$/,
    '/jobs?tab=applications',
  ],
] as const)(
  'a notification %s %o is a sentence with its page (%s)',
  async (kind, fields, language, body, path) => {
    const push = { kind: 'notification', notificationId: id, language } as const;
    const shown = await compose(push, read([notice(kind, fields)]));
    expect(shown.body).toMatch(body);
    expect(shown).toMatchObject({ title: 'Portia', tag: id, path });
  },
);

const page = (visibilityState: DocumentVisibilityState, focused = false) =>
  ({ visibilityState, focused, focus: vi.fn(async () => undefined), postMessage: vi.fn() }) satisfies Page;

test('a notification is quiet while a page is visible', () => {
  const shown = { title: 'Portia', body: 'Text', tag: id, path: '/messages', language: 'en' } as const;
  expect(optionsOf(shown, [])).toMatchObject({
    silent: false,
    renotify: true,
    tag: id,
    data: { path: '/messages' },
  });
  expect(optionsOf(shown, [page('hidden')])).toMatchObject({ silent: false });
  expect(optionsOf(shown, [page('hidden'), page('visible')])).toMatchObject({
    silent: true,
    renotify: false,
  });
});

test('a press focuses an open page and names the path there, or opens one', async () => {
  const openWindow = vi.fn(async () => undefined);
  const [first, second] = [page('hidden'), page('visible', true)];
  await open({ path: '/messages/1' }, [first, second], openWindow);
  expect(second.focus).toHaveBeenCalled();
  expect(second.postMessage).toHaveBeenCalledWith({ open: '/messages/1' });
  expect(first.focus).not.toHaveBeenCalled();
  await open({ path: '/messages/1' }, [first], openWindow);
  expect(first.postMessage).toHaveBeenCalledWith({ open: '/messages/1' });
  expect(openWindow).not.toHaveBeenCalled();
  await open({ path: '/messages/1' }, [], openWindow);
  await open(null, [], openWindow);
  expect(openWindow.mock.calls).toEqual([['/messages/1'], ['/notifications']]);
});

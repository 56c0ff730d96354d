// A message: edited, deleted, answered, with reactions; and a muted conversation.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Conversation, Message } from '@/api/schema.gen';
import { deviceKeys } from '@/session/device-store';
import { gate } from '@/testing/jobs';
import {
  conversationId,
  conversationOf,
  installElementHeights,
  messageOf,
  mine,
  threadOf,
} from '@/testing/messages';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const address = `/messages/${conversationId}`;
installElementHeights();

/** The bodies of the writes, with their method and the end of their path. */
let writes: [string, unknown][];

function serve(messages: Message[], changes: Partial<Conversation> = {}) {
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversationOf(changes)])),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf(messages, changes))),
  );
}

const now = () => new Date().toISOString();
const record = async (request: Request) => {
  const text = await request.text();
  const end = new URL(request.url).pathname.split(`${conversationId}/`)[1];
  writes.push([`${request.method} ${end}`, text ? JSON.parse(text) : null]);
};

beforeEach(() => {
  signedInAs(isabel);
  writes = [];
  server.use(
    http.post('/api/conversations/:id/read', () => new HttpResponse(null, { status: 204 })),
    http.post('/api/conversations/:id/typing', () => new HttpResponse(null, { status: 204 })),
  );
});

const lines = () => screen.getAllByRole('listitem').filter((line) => line.hasAttribute('data-index'));
const lineOf = async (text: string | RegExp) => {
  await screen.findByRole('region', { name: 'Conversation with Priya Raghavan' });
  return waitFor(() => {
    const line = lines().find((one) => one.textContent?.match(text));
    if (!line) throw new Error(`no line says ${text}`);
    return within(line);
  });
};
type User = Awaited<ReturnType<typeof renderApp>>['user'];
const openMenu = async (user: User, text: string) => {
  await user.click((await lineOf(text)).getByRole('button', { name: 'Options for this message' }));
  return within(await screen.findByRole('menu'));
};

describe('edit and delete', () => {
  test('an own message is edited in place of the composer and shows that it was', async () => {
    const message = mine(1, { content: 'At nine', createdAt: now() });
    serve([message]);
    server.use(
      http.patch('/api/conversations/:id/messages/:messageId', async ({ request }) => {
        await record(request);
        return HttpResponse.json({ ...message, content: 'At ten', editedAt: now() });
      }),
    );
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'At nine');
    await user.click(menu.getByRole('menuitem', { name: 'Edit message' }));
    const field = await screen.findByRole('textbox', { name: 'Edit message' });
    expect(field).toHaveValue('At nine');
    await waitFor(() => expect(field).toHaveFocus());
    await user.clear(field);
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.type(field, 'At ten{Enter}');
    expect((await lineOf('At ten')).getByText('Edited')).toBeVisible();
    expect(writes).toEqual([['PATCH messages/m1', { content: 'At ten' }]]);
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
  });

  test('Arrow up in the empty field edits the last own message, and the field has the focus again after', async () => {
    serve([mine(1, { content: 'At nine', createdAt: now() }), messageOf(2, { createdAt: now() })]);
    const { user } = await renderApp(address);
    await lineOf('At nine');
    const composer = await screen.findByRole('textbox', { name: 'Message' });
    await user.type(composer, 'x{ArrowUp}');
    expect(screen.queryByRole('textbox', { name: 'Edit message' })).not.toBeInTheDocument();
    await user.type(composer, '{Backspace}{ArrowUp}');
    expect(await screen.findByRole('textbox', { name: 'Edit message' })).toHaveValue('At nine');
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  test('Arrow up does nothing without a message that can be changed', async () => {
    serve([mine(1, { content: 'Long ago' })]);
    const { user } = await renderApp(address);
    await lineOf('Long ago');
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), '{ArrowUp}');
    expect(screen.queryByRole('textbox', { name: 'Edit message' })).not.toBeInTheDocument();
  });

  test('the text of a message is copied', async () => {
    serve([messageOf(1)]);
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'Message 1');
    await user.click(menu.getByRole('menuitem', { name: 'Copy text' }));
    expect(await screen.findByText('Text copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('Message 1');
  });

  test('Escape ends the editing without a change', async () => {
    serve([mine(1, { content: 'At nine', createdAt: now() })]);
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'At nine');
    await user.click(menu.getByRole('menuitem', { name: 'Edit message' }));
    await user.type(await screen.findByRole('textbox', { name: 'Edit message' }), '!{Backspace}{Escape}');
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
    expect(await lineOf('At nine')).toBeTruthy();
  });

  test('Escape asks before it discards a changed text', async () => {
    serve([mine(1, { content: 'At nine', createdAt: now() })]);
    const { user } = await renderApp(address);
    const edit = async () => {
      const menu = await openMenu(user, 'At nine');
      await user.click(menu.getByRole('menuitem', { name: 'Edit message' }));
      return screen.findByRole('textbox', { name: 'Edit message' });
    };
    await user.type(await edit(), ' or ten{Escape}');
    const question = () => screen.findByRole('dialog', { name: 'Discard your changes?' });
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    const field = await screen.findByRole('textbox', { name: 'Edit message' });
    expect(field).toHaveValue('At nine or ten');
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard('{Escape}');
    await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
    expect(await edit()).toHaveValue('At nine');
  });

  test('Escape that closes the suggestions of an input method does not end the editing', async () => {
    serve([mine(1, { content: 'At nine', createdAt: now() })]);
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'At nine');
    await user.click(menu.getByRole('menuitem', { name: 'Edit message' }));
    const field = await screen.findByRole('textbox', { name: 'Edit message' });
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
    expect(field).toBeVisible();
  });

  describe('while a change is saved', () => {
    async function saveSlowly() {
      const first = mine(1, { content: 'At nine', createdAt: now() });
      serve([first, mine(2, { content: 'In the hall', createdAt: now() })]);
      const answer = gate();
      server.use(
        http.patch('/api/conversations/:id/messages/:messageId', async ({ request }) => {
          await record(request);
          await answer.opened;
          return HttpResponse.json({ ...first, content: 'At nine sharp', editedAt: now() });
        }),
      );
      const { user } = await renderApp(address);
      const edit = async (text: string) => {
        const menu = await openMenu(user, text);
        await user.click(menu.getByRole('menuitem', { name: 'Edit message' }));
        return screen.findByRole('textbox', { name: 'Edit message' });
      };
      const field = await edit('At nine');
      await user.type(field, ' sharp{Enter}');
      return { answer, user, edit, field };
    }

    test('its form stays open and its text as it is', async () => {
      const { answer, user, field } = await saveSlowly();
      await user.keyboard('!{Enter}{Escape}');
      expect(field).toHaveFocus();
      expect(field).toHaveAttribute('readonly');
      expect(field).toHaveValue('At nine sharp');
      expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
      answer.open();
      expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
      expect(writes).toEqual([['PATCH messages/m1', { content: 'At nine sharp' }]]);
    });

    test('its success does not close the form of another message, and leaves no draft', async () => {
      const { answer, user, edit } = await saveSlowly();
      const other = await edit('In the hall');
      await user.type(other, ' at');
      answer.open();
      expect(await lineOf('At nine sharp')).toBeTruthy();
      await user.type(other, ' ten');
      expect(screen.getByRole('textbox', { name: 'Edit message' })).toHaveValue('In the hall at ten');
      expect(deviceKeys().filter((key) => key.endsWith('edit message m1'))).toEqual([]);
    });
  });

  test('a changed text is kept when the member goes elsewhere, until Cancel', async () => {
    serve([mine(1, { content: 'At nine', createdAt: now() })]);
    const first = await renderApp(address);
    const edit = async (user: User) => {
      const menu = await openMenu(user, 'At nine');
      await user.click(menu.getByRole('menuitem', { name: 'Edit message' }));
      return screen.findByRole('textbox', { name: 'Edit message' });
    };
    await first.user.type(await edit(first.user), ' or ten');
    first.unmount();
    const { user } = await renderApp(address);
    expect(await edit(user)).toHaveValue('At nine or ten');
    expect(screen.getByText('Draft')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await edit(user)).toHaveValue('At nine');
  });

  test('after fifteen minutes neither is offered, and a late change shows the reason', async () => {
    const message = mine(2, { content: 'Now', createdAt: now() });
    const file = { name: 'Brief.pdf', size: 9, url: '/api/messages/m3/file' };
    serve([mine(1, { content: 'Long ago' }), message, mine(3, { content: 'Old file', file })]);
    const error = 'A message can be changed for 15 minutes after sending.';
    server.use(
      http.delete('/api/conversations/:id/messages/:messageId', () =>
        problem(409, { error, code: 'MESSAGE_CHANGE_TOO_LATE' }),
      ),
    );
    const { user } = await renderApp(address);
    const old = await openMenu(user, 'Long ago');
    expect(old.getByRole('menuitem', { name: 'Reply' })).toBeVisible();
    for (const name of ['Edit message', 'Delete message', 'Report message'])
      expect(old.queryByRole('menuitem', { name })).not.toBeInTheDocument();
    await user.keyboard('{Escape}');
    const withFile = await openMenu(user, 'Old file');
    expect(withFile.getByRole('menuitem', { name: 'Delete message' })).toBeVisible();
    expect(withFile.queryByRole('menuitem', { name: 'Edit message' })).not.toBeInTheDocument();
    await user.keyboard('{Escape}');
    const menu = await openMenu(user, 'Now');
    await user.click(menu.getByRole('menuitem', { name: 'Delete message' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete message' }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(`Failed to delete the message: 409: ${error}`)).toBeVisible();
    expect(await lineOf('Now')).toBeTruthy();
  });

  test('a deleted message stays in its place, in the list too', async () => {
    const at = now();
    const message = mine(1, { content: 'Wrong chat', createdAt: at });
    serve([message], { lastMessage: 'Wrong chat', lastMessageAt: at });
    server.use(
      http.delete('/api/conversations/:id/messages/:messageId', async ({ request }) => {
        await record(request);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'Wrong chat');
    await user.click(menu.getByRole('menuitem', { name: 'Delete message' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete message' }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    const line = await lineOf('This message was deleted');
    expect(line.queryByRole('button')).not.toBeInTheDocument();
    expect(within(screen.getByRole('tabpanel')).getByText('This message was deleted')).toBeVisible();
    expect(screen.queryByText('Wrong chat')).not.toBeInTheDocument();
    expect(writes).toEqual([['DELETE messages/m1', null]]);
  });
});

describe('reactions', () => {
  const reacted = messageOf(1, { reactions: [{ kind: 'love', userIds: [priya.id, isabel.id] }] });

  test('each kind is a button with the names, and a press removes the own one', async () => {
    serve([reacted]);
    server.use(
      http.put('/api/conversations/:id/messages/:messageId/reactions', async ({ request }) => {
        await record(request);
        return HttpResponse.json({ ...reacted, reactions: [{ kind: 'love', userIds: [priya.id] }] });
      }),
    );
    const { user } = await renderApp(address);
    const line = await lineOf('Message 1');
    const button = line.getByRole('button', { name: 'Love: Priya Raghavan and You' });
    expect(button).toHaveAttribute('aria-pressed', 'true');
    await user.click(button);
    const after = await line.findByRole('button', { name: 'Love: Priya Raghavan' });
    expect(after).toHaveAttribute('aria-pressed', 'false');
    expect(writes).toEqual([['PUT messages/m1/reactions', { kind: 'love', on: false }]]);
  });

  test('the menu of a message adds one', async () => {
    serve([messageOf(1)]);
    server.use(
      http.put('/api/conversations/:id/messages/:messageId/reactions', () =>
        HttpResponse.json(messageOf(1, { reactions: [{ kind: 'wow', userIds: [isabel.id] }] })),
      ),
    );
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'Message 1');
    await user.click(menu.getByRole('menuitemcheckbox', { name: 'Surprise' }));
    expect(await (await lineOf('Message 1')).findByRole('button', { name: 'Surprise: You' })).toBeVisible();
  });

  test('a refused one disappears and shows the reason', async () => {
    serve([messageOf(1)]);
    server.use(
      http.put('/api/conversations/:id/messages/:messageId/reactions', () =>
        problem(503, { error: 'Please try again soon' }),
      ),
      http.get('/api/conversations/:id/messages/:messageId', () => HttpResponse.json(messageOf(1))),
    );
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'Message 1');
    await user.click(menu.getByRole('menuitemcheckbox', { name: 'Thanks' }));
    expect(await screen.findByText('Failed to save the reaction: 503: Please try again soon')).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Thanks: You' })).not.toBeInTheDocument(),
    );
  });
});

describe('replies', () => {
  test('a reply names its message in the composer and quotes it when sent', async () => {
    serve([messageOf(1, { content: 'What paragraph?' })]);
    server.use(
      http.post('/api/conversations/:id/messages', async ({ request }) => {
        await record(request);
        const replyTo = { id: 'm1', userId: priya.id, content: 'What paragraph?', attachments: null };
        return HttpResponse.json(mine(2, { content: 'The last', replyTo }), { status: 201 });
      }),
    );
    const { user } = await renderApp(address);
    const menu = await openMenu(user, 'What paragraph?');
    await user.click(menu.getByRole('menuitem', { name: 'Reply' }));
    expect(await screen.findByText('Replying to Priya Raghavan')).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'Message' });
    await waitFor(() => expect(field).toHaveFocus());
    await user.type(field, 'The last{Enter}');
    expect(screen.queryByText('Replying to Priya Raghavan')).not.toBeInTheDocument();
    const line = await lineOf('The last');
    expect(line.getByRole('button', { name: /In reply to Priya Raghavan\s*What paragraph\?/ })).toBeVisible();
    const body = { userId: isabel.id, conversationId, content: 'The last', replyTo: 'm1' };
    await waitFor(() => expect(writes).toEqual([['POST messages', body]]));
  });

  test('a reply can be cancelled, and a quote of a deleted message says so', async () => {
    serve([
      messageOf(1),
      messageOf(2, { replyTo: { id: 'm1', userId: priya.id, content: null, attachments: null } }),
    ]);
    const { user } = await renderApp(address);
    expect((await lineOf('Message 2')).getByText('The message was deleted')).toBeVisible();
    const menu = await openMenu(user, 'Message 1');
    await user.click(menu.getByRole('menuitem', { name: 'Reply' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel reply' }));
    expect(screen.queryByText('Replying to Priya Raghavan')).not.toBeInTheDocument();
  });

  test('a quote shows its message: in the thread, or on a page of its own', async () => {
    const older = messageOf(1, { content: 'The beginning' });
    const quote = { id: 'm1', userId: priya.id, content: 'The beginning', attachments: null };
    serve([messageOf(8), messageOf(9, { replyTo: quote })]);
    let around: string | null = null;
    server.use(
      http.get('/api/conversations/:id', ({ request }) => {
        around = new URL(request.url).searchParams.get('around');
        return HttpResponse.json(
          threadOf(around ? [older, messageOf(2)] : [messageOf(8), messageOf(9, { replyTo: quote })]),
        );
      }),
    );
    const { user, path } = await renderApp(address);
    await user.click((await lineOf('Message 9')).getByRole('button', { name: /In reply to/ }));
    await lineOf('The beginning');
    expect(around).toBe('m1');
    expect(lines().find((line) => line.dataset.target)?.textContent).toMatch('The beginning');
    await user.click(screen.getByRole('button', { name: 'Show newest messages' }));
    await lineOf('Message 9');
    expect(path()).toBe(address);
  });
});

test('a message without the newer fields is shown as before', async () => {
  const { id, userId, content, createdAt, isRead } = messageOf(1);
  const { lastMessageDeleted, muted, ...conversation } = conversationOf();
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversation])),
    http.get('/api/conversations/:id', () =>
      HttpResponse.json({
        ...conversation,
        messages: [{ id, userId, conversationId, content, createdAt, isRead }],
      }),
    ),
  );
  await renderApp(address);
  expect((await lineOf('Message 1')).queryByText('Edited')).not.toBeInTheDocument();
});

test('a muted conversation keeps a quiet count, and the menu of its thread unmutes it', async () => {
  serve([messageOf(1)], { id: 'other', unreadCount: 3, muted: true });
  server.use(
    http.delete('/api/conversations/:id/mute', () => new HttpResponse(null, { status: 204 })),
    http.get('/api/conversations', () =>
      HttpResponse.json([
        conversationOf({ muted: true }),
        conversationOf({ id: 'other', unreadCount: 3, muted: true }),
      ]),
    ),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf([messageOf(1)], { muted: true }))),
  );
  const { user } = await renderApp(address);
  await lineOf('Message 1');
  const [first, second] = within(screen.getByRole('tabpanel')).getAllByRole('link', { name: /Priya/ });
  if (!first || !second) throw new Error('no rows');
  expect(within(second).getByRole('img', { name: 'Muted' })).toBeInTheDocument();
  expect(within(second).getByText('3')).not.toHaveClass('count-unread');
  await user.click(screen.getByRole('button', { name: 'Options for this conversation' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Unmute conversation' }));
  expect(await screen.findByText('Conversation unmuted')).toBeVisible();
  await waitFor(() => expect(within(first).queryByRole('img', { name: 'Muted' })).not.toBeInTheDocument());
});

test('a kept draft is shown in the list, unless it is on screen', async () => {
  serve([messageOf(1)]);
  const { user } = await renderApp(address);
  const field = await screen.findByRole('textbox', { name: 'Message' });
  expect(field).toHaveAttribute('dir', 'auto');
  await user.type(field, 'Half a th');
  expect(screen.queryByText('Draft:')).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Back' }));
  const row = await screen.findByRole('link', { name: /Priya Raghavan/ });
  expect(row).toHaveTextContent('Draft: Half a th');
  await user.click(row);
  await user.clear(await screen.findByRole('textbox', { name: 'Message' }));
});

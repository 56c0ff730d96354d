// Groups: creation, the list, the thread with names and system lines, and the menu.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Conversation, GroupMember, Message, OtherUser } from '@/api/schema.gen';
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

installElementHeights();

const ben: OtherUser = {
  id: '019a0000-0000-7000-8000-000000000071',
  fullName: 'Ben Whitaker',
  headline: null,
  avatarUrl: null,
};
const me: OtherUser = { ...ben, id: isabel.id, fullName: isabel.fullName };

function groupOf(changes: Partial<NonNullable<Conversation['group']>> = {}): Partial<Conversation> {
  return {
    otherUser: null,
    group: { title: 'Moot court', memberCount: 3, members: [priya, ben], role: 'owner', ...changes },
    lastSender: ben,
  };
}

let sent: unknown[];

function serve(messages: Message[], conversation: Partial<Conversation> = groupOf()) {
  const members: GroupMember[] = [
    { ...me, role: 'owner' },
    { ...priya, role: 'member' },
    { ...ben, role: 'member' },
  ];
  const record = async (request: Request) => {
    const text = await request.text();
    sent.push([
      request.method,
      new URL(request.url).pathname.split('/').slice(3).join('/'),
      text && JSON.parse(text),
    ]);
  };
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversationOf(conversation)])),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf(messages, conversation))),
    http.get('/api/conversations/:id/members', () => HttpResponse.json(members)),
    http.post('/api/conversations/:id/read', () => new HttpResponse(null, { status: 204 })),
    http.patch('/api/conversations/:id/group', async ({ request }) => {
      await record(request);
      return HttpResponse.json(conversationOf(groupOf({ title: 'Finals' })));
    }),
    http.delete('/api/conversations/:id/members/:memberId', async ({ request }) => {
      await record(request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
}

beforeEach(() => {
  signedInAs(isabel);
  sent = [];
  serve([messageOf(1)]);
});

const open = () => renderApp(`/messages/${conversationId}`);
const thread = () => screen.findByRole('region', { name: 'Conversation with Moot court' });

describe('The thread of a group', () => {
  test('names the authors, states changes, and says how many have seen a message', async () => {
    serve([
      messageOf(1, {
        userId: isabel.id,
        sender: me,
        content: '',
        systemLine: { kind: 'created', members: [] },
      }),
      messageOf(2, {
        sender: me,
        userId: isabel.id,
        content: '',
        systemLine: { kind: 'added', members: [ben] },
      }),
      messageOf(3, { sender: priya, content: 'At nine?' }),
      messageOf(4, { userId: ben.id, sender: ben, content: 'Yes' }),
      messageOf(5, { userId: null, sender: { ...ben, id: null }, content: 'From before' }),
      mine(6, { sender: me, isRead: true, readCount: 2, content: 'See you' }),
      messageOf(7, { userId: ben.id, sender: ben, content: '', systemLine: { kind: 'left', members: [] } }),
    ]);
    await open();
    const shown = within(await thread());
    for (const line of ['You created the group', 'You added Ben Whitaker', 'Ben Whitaker left'])
      expect(await shown.findByText(line)).toBeVisible();
    const names = shown
      .getAllByText(/^(Priya Raghavan|Ben Whitaker|Former member)$/)
      .map((one) => one.textContent);
    expect(names).toEqual([priya.fullName, 'Ben Whitaker', 'Former member']);
    expect(shown.getByRole('img', { name: 'Seen by 2' })).toBeInTheDocument();
    expect(shown.getByText('Seen by 2')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Message' })).toBeEnabled();
    expect(screen.getAllByText('3 members')[0]).toBeVisible();
  });

  test('a group without a name has the names of its members', async () => {
    serve([messageOf(1)], groupOf({ title: null, memberCount: 6 }));
    await open();
    const named = await screen.findAllByText(`${priya.fullName}, Ben Whitaker, and +3`);
    expect(named).not.toHaveLength(0);
  });

  test('the owner renames it', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Options for this conversation' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename group' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename group' }));
    const name = dialog.getByRole('textbox', { name: 'Group name' });
    await user.clear(name);
    await user.type(name, 'Finals');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Group renamed')).toBeVisible();
    expect(sent).toEqual([['PATCH', `${conversationId}/group`, { title: 'Finals' }]]);
  });

  test('the owner adds no member without a choice, and is told so', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Options for this conversation' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Add members' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add members' }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    const search = dialog.getByRole('searchbox');
    expect(search).toHaveAccessibleDescription('Choose at least 1 more member.');
    expect(search).toHaveFocus();
    expect(sent).toEqual([]);
  });

  test('the owner removes a member after a question', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Options for this conversation' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Show members' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Members' }));
    expect(await dialog.findByText('Isabel Reyes (you)')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Remove Ben Whitaker from the group' }));
    const question = within(await screen.findByRole('dialog'));
    await user.click(question.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sent).toEqual([['DELETE', `${conversationId}/members/${ben.id}`, '']]));
  });

  test('a member leaves it, and may not change it', async () => {
    serve([messageOf(1)], groupOf({ role: 'member' }));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Options for this conversation' }));
    expect(await screen.findByRole('menuitem', { name: 'Show members' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: 'Rename group' })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Add members' })).toBeNull();
    await user.click(screen.getByRole('menuitem', { name: 'Leave group' }));
    const question = within(await screen.findByRole('dialog', { name: 'Leave group' }));
    await user.click(question.getByRole('button', { name: 'Leave' }));
    expect(await screen.findByText('You left the group')).toBeVisible();
    expect(sent).toEqual([['DELETE', `${conversationId}/members/${isabel.id}`, '']]);
  });

  test('a group of a member without a connection is accepted or left', async () => {
    serve([messageOf(1)], { ...groupOf({ role: 'member' }), folder: 'requests' });
    await renderApp(`/messages/${conversationId}?folder=requests`);
    expect(
      await screen.findByText(
        'You were added to this group by a member you are not connected with. Before you accept it, you see only its first five messages.',
      ),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Accept' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Leave group' })).toBeVisible();
  });
});

describe('The list', () => {
  test('shows the name of the group, and the author of the newest message', async () => {
    serve([messageOf(1)], { ...groupOf(), lastMessage: 'At nine?' });
    await renderApp('/messages');
    const row = await screen.findByRole('link', { name: /Moot court/ });
    expect(row).toHaveTextContent('Ben Whitaker: At nine?');
  });

  test('shows the newest change of a group', async () => {
    const line = { kind: 'renamed' as const, members: [] };
    serve([messageOf(1)], { ...groupOf(), lastMessage: null, lastSystemLine: line });
    await renderApp('/messages');
    expect(await screen.findByRole('link', { name: /Moot court/ })).toHaveTextContent(
      'Ben Whitaker renamed the group',
    );
  });
});

describe('New group', () => {
  const carla = { ...priya, id: '019a0000-0000-7000-8000-000000000073', fullName: 'Carla Diaz' };

  test('needs two other members, and opens the group', async () => {
    let body: unknown;
    let key: string | null = null;
    server.use(
      http.get('/api/conversations', () =>
        HttpResponse.json([conversationOf(), conversationOf({ id: 'c2', otherUser: carla })]),
      ),
      http.post('/api/conversations/groups', async ({ request }) => {
        body = await request.json();
        key = request.headers.get('Idempotency-Key');
        return HttpResponse.json(conversationOf(groupOf()), { status: 201 });
      }),
    );
    const { user } = await renderApp('/messages');
    await user.click(await screen.findByRole('button', { name: 'New group' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New group' }));
    await user.type(dialog.getByRole('textbox', { name: 'Group name' }), ' Moot court ');
    await user.click(await dialog.findByRole('checkbox', { name: new RegExp(priya.fullName) }));
    await user.click(dialog.getByRole('button', { name: 'Create group' }));
    const search = dialog.getByRole('searchbox');
    expect(search).toHaveAccessibleDescription('Choose at least 1 more member.');
    expect(search).toHaveFocus();
    await user.click(dialog.getByRole('checkbox', { name: /Carla Diaz/ }));
    const chosen = within(dialog.getByRole('list', { name: 'Chosen members' }));
    expect(chosen.getAllByRole('listitem')).toHaveLength(2);
    await user.click(dialog.getByRole('button', { name: 'Create group' }));
    expect(await thread()).toBeVisible();
    expect(body).toEqual({ title: 'Moot court', memberIds: [priya.id, carla.id] });
    expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  test('a refusal is shown and the choice stays', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.get('/api/conversations', () =>
        HttpResponse.json([conversationOf(), conversationOf({ id: 'c2', otherUser: carla })]),
      ),
      http.post('/api/conversations/groups', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return problem(403, { error: 'One of these members does not accept new messages.' });
      }),
    );
    const { user } = await renderApp('/messages');
    await user.click(await screen.findByRole('button', { name: 'New group' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New group' }));
    for (const box of await dialog.findAllByRole('checkbox')) await user.click(box);
    await user.click(dialog.getByRole('button', { name: 'Create group' }));
    expect(await screen.findByText(/One of these members does not accept new messages\./)).toBeVisible();
    expect(dialog.getAllByRole('checkbox', { checked: true })).toHaveLength(2);
    await user.click(dialog.getByRole('button', { name: 'Create group' }));
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(new Set(keys).size).toBe(1);
  });
});

// The Message button beside a member opens the conversation.
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { gate } from '@/testing/jobs';
import { conversationId, conversationOf, threadOf } from '@/testing/messages';
import { priya } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

let opened: unknown[];

beforeEach(() => {
  signedInAs(isabel);
  opened = [];
  server.use(
    http.get('/api/users/:id/profile', ({ params }) =>
      HttpResponse.json(profileOf(params.id === isabel.id ? isabel : { ...isabel, ...priya })),
    ),
    http.post('/api/conversations', async ({ request }) => {
      opened.push(await request.json());
      return HttpResponse.json(conversationOf(), { status: 201 });
    }),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf([]))),
  );
});

test('opens the conversation from a profile', async () => {
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
  expect(opened).toEqual([{ userId: priya.id }]);
  expect(await screen.findByText('No messages yet. Start the conversation!')).toBeVisible();
});

test('opens the conversation from a connection', async () => {
  server.use(
    http.get('/api/users/:id/connections', () =>
      HttpResponse.json([
        {
          id: 'c1',
          requesterId: isabel.id,
          recipientId: priya.id,
          status: 'accepted',
          createdAt: '2026-10-01T00:00:00Z',
          connectedUser: priya,
        },
      ]),
    ),
  );
  const { user, path } = await renderApp('/network');
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
});

test('opens a pending request in the requests folder', async () => {
  server.use(
    http.post('/api/conversations', () => HttpResponse.json(conversationOf({ folder: 'requests' }))),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf([], { folder: 'requests' }))),
  );
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe(`/messages/${conversationId}?folder=requests`));
});

test('a failure shows the reason', async () => {
  server.use(http.post('/api/conversations', () => problem(404, { error: 'User not found' })));
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('button', { name: 'Message' }));
  expect(await screen.findByText('Failed to open the conversation: 404: User not found')).toBeVisible();
  expect(path()).toBe(`/profile/${priya.id}`);
});

test('a visitor is redirected to sign in', async () => {
  server.use(http.get('/api/auth/me', () => problem(401, { error: 'Not signed in' })));
  const { user, path } = await renderApp(`/profile/${priya.id}`);
  await user.click(await screen.findByRole('link', { name: 'Message' }));
  await waitFor(() => expect(path()).toBe('/auth'));
});

describe('writing at once', () => {
  const box = () => screen.findByRole('textbox', { name: 'Message' });
  /** Delays the response to the press, and the messages. */
  function delayed() {
    const [conversation, thread] = [gate(), gate()];
    server.use(
      http.post('/api/conversations', async () => {
        await conversation.opened;
        return HttpResponse.json(conversationOf(), { status: 201 });
      }),
      http.get('/api/conversations/:id', async () => {
        await thread.opened;
        return HttpResponse.json(threadOf([]));
      }),
    );
    return { conversation, thread };
  }

  test('no key is lost between the press and the field', async () => {
    const { conversation, thread } = delayed();
    const { user, path } = await renderApp(`/profile/${priya.id}`);
    await user.click(await screen.findByRole('button', { name: 'Message' }));
    await user.keyboard('Can ');
    conversation.open();
    await waitFor(() => expect(path()).toBe(`/messages/${conversationId}`));
    await user.keyboard('you review');
    thread.open();
    await waitFor(async () => expect(await box()).toHaveFocus());
    await user.keyboard(' my memo?');
    expect(await box()).toHaveValue('Can you review my memo?');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('a touch screen opens no keyboard by itself', async () => {
    const media = vi
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => ({ matches: query === '(pointer: coarse)' }) as MediaQueryList);
    const { user } = await renderApp(`/profile/${priya.id}`);
    await user.click(await screen.findByRole('button', { name: 'Message' }));
    expect(await box()).not.toHaveFocus();
    media.mockRestore();
  });

  test('a failure returns the focus', async () => {
    const answer = gate();
    server.use(
      http.post('/api/conversations', async () => {
        await answer.opened;
        return problem(404, { error: 'User not found' });
      }),
    );
    const { user } = await renderApp(`/profile/${priya.id}`);
    const button = await screen.findByRole('button', { name: 'Message' });
    await user.click(button);
    await user.keyboard('Hi');
    answer.open();
    await screen.findByText('Failed to open the conversation: 404: User not found');
    await waitFor(() => expect(button).toBeEnabled());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Message' })).toHaveFocus());
  });
});

// The keys that move through posts and act on them, the list of shortcuts, and the switch of single keys.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, server, signedInAs } from '@/testing/server';
import { shortcutsReady } from '@/testing/shortcuts';
import { switchSingleKeys } from '@/ui/single-keys';

beforeEach(() => signedInAs(isabel));
afterEach(() => switchSingleKeys(true));

const help = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' });

describe('in a feed', () => {
  const posts = ['First', 'Second', 'Third'].map((content, at) => postOf({ id: `p${at}`, content }));
  const openFeed = async () => {
    server.use(http.get('/api/posts', () => HttpResponse.json(posts)));
    const app = await renderApp('/');
    await screen.findByText('Third');
    await shortcutsReady();
    return app;
  };
  const focused = () => document.activeElement?.getAttribute('data-post');

  test('J and K move the focus through the posts and scroll to it', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { user } = await openFeed();
    await user.keyboard('j');
    expect(focused()).toBe('p0');
    await user.keyboard('jj');
    expect(focused()).toBe('p2');
    expect(scroll.mock.contexts.at(-1)).toBe(document.activeElement);
    await user.keyboard('j');
    expect(focused()).toBe('p2');
    await user.keyboard('kkk');
    expect(focused()).toBe('p0');
  });

  test('J goes on from the post that has the focused element', async () => {
    const { user } = await openFeed();
    screen.getAllByRole('button', { name: 'Like' })[1]?.focus();
    await user.keyboard('j');
    expect(focused()).toBe('p2');
  });

  test('Enter opens the focused post, and presses a focused button in it', async () => {
    const { user, path } = await openFeed();
    await user.keyboard('jj');
    screen.getAllByRole('button', { name: 'Comment' })[1]?.focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('textbox', { name: 'Comment' })).toBeVisible();
    expect(path()).toBe('/');
    await user.keyboard('{Escape}k');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(path()).toBe('/posts/p0'));
  });

  test('L likes the focused post once, also while it is held down', async () => {
    const liked: string[] = [];
    server.use(
      http.post('/api/posts/:id/likes', ({ params }) => {
        liked.push(String(params.id));
        return HttpResponse.json({ userId: isabel.id, type: 'like' });
      }),
    );
    const { user } = await openFeed();
    await user.keyboard('l');
    await user.keyboard('jj{l>5/}');
    await waitFor(() => expect(liked).toEqual(['p1']));
    expect(focused()).toBe('p1');
  });

  test('C opens the comments of the focused post and types into the field', async () => {
    const { user } = await openFeed();
    await user.keyboard('jc');
    const field = await screen.findByRole('textbox', { name: 'Comment' });
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard('jlc?/');
    expect(field).toHaveValue('jlc?/');
    expect(screen.getAllByRole('textbox', { name: 'Comment' })).toHaveLength(1);
    field.closest('article')?.focus();
    await user.keyboard('c');
    expect(field).toHaveFocus();
  });

  test('keys with a modifier, and keys while a dialog is open, are not shortcuts', async () => {
    const { user } = await openFeed();
    await user.keyboard('{Control>}j{/Control}{Alt>}j{/Alt}{Shift>}j{/Shift}');
    expect(focused()).toBeNull();
    await user.keyboard('?');
    await help();
    await user.keyboard('jl');
    expect(focused()).toBeNull();
    expect(await help()).toBeVisible();
  });
});

test('? opens the list of shortcuts, and Escape returns the focus', async () => {
  const { user } = await renderApp('/test');
  const more = await screen.findByRole('button', { name: 'More' });
  await shortcutsReady();
  more.focus();
  await user.keyboard('?');
  const dialog = within(await help());
  for (const name of ['Next post', 'Previous post', 'Like the focused post', 'Comment on the focused post'])
    expect(dialog.getByText(name)).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(more).toHaveFocus());
});

test('single keys are switched off in the settings, and stay off on the device', async () => {
  const { user, path } = await renderApp('/settings');
  await shortcutsReady();
  const section = within(await screen.findByRole('region', { name: 'Keyboard shortcuts' }));
  await user.click(section.getByRole('switch', { name: 'Single-key shortcuts' }));
  expect(localStorage.getItem('portia-single-keys')).toBe('off');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('?/');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(path()).toBe('/settings');
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('dialog', { name: 'Go to people, places and actions' })).toBeVisible();
  await user.keyboard('{Escape}');
  await user.click(section.getByRole('button', { name: 'Show all shortcuts' }));
  await user.click(within(await help()).getByRole('switch', { name: 'Single-key shortcuts' }));
  expect(localStorage.getItem('portia-single-keys')).toBeNull();
});

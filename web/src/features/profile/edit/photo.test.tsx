// The photo of the Edit Profile dialog. Scaling is tested in a real browser (e2e); these tests cover everything else.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';
import { scaledPhoto, smallPhoto } from './picture';

vi.mock('./picture', () => ({ scaledPhoto: vi.fn(), smallPhoto: vi.fn() }));

const scaled = 'data:image/jpeg;base64,c2NhbGVk';
const stored = `/media/${'a'.repeat(64)}.jpg`;
const file = new File(['pixels'], 'me.png', { type: 'image/png' });
let patched: Record<string, unknown>[];

beforeEach(() => {
  patched = [];
  vi.mocked(scaledPhoto).mockReset().mockResolvedValue(scaled);
  vi.mocked(smallPhoto).mockReset();
  signedInAs(isabel);
  server.use(
    http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(isabel))),
    http.patch('/api/users/:id', async ({ request }) => {
      const body = (await request.json()) as { avatarUrl?: string };
      patched.push(body);
      return HttpResponse.json({ ...isabel, avatarUrl: body.avatarUrl ? stored : null });
    }),
    http.put('/api/users/:id/profile', () =>
      HttpResponse.json(profileOf({ ...isabel, avatarUrl: patched.at(-1)?.avatarUrl ? stored : null })),
    ),
  );
});

async function open() {
  const { user } = await renderApp(`/profile/${isabel.id}`);
  await user.click(await screen.findByRole('button', { name: 'Edit Profile' }));
  const element = await screen.findByRole('dialog');
  const dialog = within(element);
  return {
    user,
    dialog,
    shown: () => element.querySelector('img')?.getAttribute('src'),
    choose: async (photo: File) => {
      const input = element.querySelector('input[type=file]') as HTMLInputElement;
      // A file can be dropped or forced in spite of `accept`.
      input.removeAttribute('accept');
      await user.upload(input, photo);
    },
    save: () => user.click(dialog.getByRole('button', { name: 'Save' })),
  };
}

const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

test('asks for PNG or JPEG', async () => {
  const { dialog } = await open();
  expect(dialog.getByText('PNG or JPEG. Recommended square, 400x400 or larger.')).toBeVisible();
  const input = document.querySelector('input[type=file]');
  expect(input).toHaveAttribute('accept', 'image/png,image/jpeg');
});

test('a selected photo is scaled and shown, sent as a data URL, and then shown everywhere', async () => {
  const { choose, shown, save } = await open();
  await choose(file);
  await waitFor(() => expect(shown()).toBe(scaled));
  await save();
  await closed();
  expect(patched).toEqual([expect.objectContaining({ avatarUrl: scaled })]);
  expect(smallPhoto).not.toHaveBeenCalled();
  const header = within(screen.getByRole('banner'));
  expect(header.getByRole('img', { name: 'Isabel Reyes' }).querySelector('img')).toHaveAttribute(
    'src',
    stored,
  );
  expect(screen.getByRole('region', { name: 'Isabel Reyes' }).querySelector('img')).toHaveAttribute(
    'src',
    stored,
  );
});

test('a photo can be removed', async () => {
  const member = { ...isabel, avatarUrl: stored };
  signedInAs(member);
  server.use(http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf(member))));
  const { dialog, user, shown, save } = await open();
  expect(shown()).toBe(stored);
  await user.click(dialog.getByRole('button', { name: 'Remove photo' }));
  expect(shown()).toBeUndefined();
  expect(dialog.queryByRole('button', { name: 'Remove photo' })).not.toBeInTheDocument();
  await save();
  await closed();
  expect(patched).toEqual([expect.objectContaining({ avatarUrl: '' })]);
  expect(document.querySelector(`img[src="${stored}"]`)).toBeNull();
});

test.each([
  ['another kind of file', new File(['<svg/>'], 'me.svg', { type: 'image/svg+xml' })],
  ['no picture at all', file],
])('%s', async (_, photo) => {
  vi.mocked(scaledPhoto).mockRejectedValue(new Error('not an image'));
  const { choose, shown } = await open();
  await choose(photo);
  expect(await screen.findByText('Failed to process image file. Please try another image.')).toBeVisible();
  expect(screen.getByText('Error')).toBeVisible();
  expect(shown()).toBeUndefined();
});

test('a data URL of 500000 characters is sent unchanged, a longer one is scaled down', async () => {
  const atMost = scaled.padEnd(500_000, 'A');
  vi.mocked(scaledPhoto).mockResolvedValue(atMost);
  const first = await open();
  await first.choose(file);
  await waitFor(() => expect(first.shown()).toBe(atMost));
  await first.save();
  await closed();
  expect(smallPhoto).not.toHaveBeenCalled();
  expect(patched.at(-1)?.avatarUrl).toBe(atMost);

  vi.mocked(scaledPhoto).mockResolvedValue(`${atMost}A`);
  vi.mocked(smallPhoto).mockResolvedValue('data:image/jpeg;base64,c21hbGw=');
  await first.user.click(screen.getByRole('button', { name: 'Edit Profile' }));
  const again = await screen.findByRole('dialog');
  await first.user.upload(again.querySelector('input[type=file]') as HTMLInputElement, file);
  await waitFor(() => expect(again.querySelector('img')?.getAttribute('src')).toBe(`${atMost}A`));
  await first.user.click(within(again).getByRole('button', { name: 'Save' }));
  await closed();
  expect(smallPhoto).toHaveBeenCalledWith(`${atMost}A`);
  expect(patched.at(-1)?.avatarUrl).toBe('data:image/jpeg;base64,c21hbGw=');
});

test('a photo that cannot be made smaller is dropped, and the rest is saved', async () => {
  vi.mocked(scaledPhoto).mockResolvedValue(scaled.padEnd(500_001, 'A'));
  vi.mocked(smallPhoto).mockRejectedValue(new Error('no canvas'));
  signedInAs({ ...isabel, avatarUrl: stored });
  server.use(
    http.get('/api/users/:id/profile', () => HttpResponse.json(profileOf({ ...isabel, avatarUrl: stored }))),
  );
  const { choose, shown, save } = await open();
  await choose(file);
  await waitFor(() => expect(shown()).not.toBe(stored));
  await save();
  await closed();
  expect(await screen.findByText('Image Processing Error')).toBeVisible();
  expect(
    screen.getByText('Unable to process image due to size constraints. Continuing without image update.'),
  ).toBeVisible();
  expect(patched).toEqual([expect.objectContaining({ avatarUrl: '' })]);
});

test('a refused photo shows the reason beside it', async () => {
  server.use(
    http.patch('/api/users/:id', () =>
      problem(400, { error: 'This is no picture.', fields: { avatarUrl: 'This is no picture.' } }),
    ),
  );
  const { dialog, choose, shown, save } = await open();
  await choose(file);
  await waitFor(() => expect(shown()).toBe(scaled));
  await save();
  expect(await dialog.findByText('This is no picture.')).toBeVisible();
  expect(shown()).toBe(scaled);
});

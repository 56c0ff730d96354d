// The PDF file of a post: uploaded when selected, and shown as a card.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

async function compose() {
  const sent: unknown[] = [];
  server.use(
    http.post('/api/posts', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(postOf(), { status: 201 });
    }),
  );
  const { user } = await renderApp('/');
  await user.click(await screen.findByRole('button', { name: /Start a post/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'My brief.');
  await user.click(dialog.getByRole('button', { name: 'PDF file' }));
  const file = new File(['%PDF-1.7'], 'Brief ñ.pdf', { type: 'application/pdf' });
  fireEvent.change(dialog.getByLabelText('Choose a PDF: PDF file', { selector: 'input' }), {
    target: { files: [file] },
  });
  return { user, dialog, sent };
}

test('a file is uploaded with its name, and the post refers to it', async () => {
  const uploads: string[] = [];
  server.use(
    http.post('/api/pdf-files', async ({ request }) => {
      const { headers } = request;
      uploads.push(`${headers.get('X-File-Name')} ${headers.get('Content-Type')} ${await request.text()}`);
      return HttpResponse.json({ id: 'file', name: 'Brief ñ.pdf', size: 8 }, { status: 201 });
    }),
  );
  const { user, dialog, sent } = await compose();
  expect(await dialog.findByText('Brief ñ.pdf · 1 kB')).toBeVisible();
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Post' })).toBeEnabled());
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Post created')).toBeVisible();
  expect(uploads).toEqual(['Brief%20%C3%B1.pdf application/pdf %PDF-1.7']);
  expect(sent).toEqual([{ userId: isabel.id, content: 'My brief.', pdfId: 'file' }]);
});

test('a refused file is not part of the post', async () => {
  server.use(http.post('/api/pdf-files', () => problem(400, { error: 'This is not a PDF file.' })));
  const { user, dialog, sent } = await compose();
  expect(await screen.findByText('Failed to upload file: 400: This is not a PDF file.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await screen.findByText('Post created')).toBeVisible();
  expect(sent).toEqual([{ userId: isabel.id, content: 'My brief.' }]);
});

test('a post shows its file as a link that downloads it', async () => {
  const pdf = { name: 'Brief.pdf', size: 1_240_000, url: '/api/posts/p1/pdf' };
  server.use(http.get('/api/posts', () => HttpResponse.json([postOf({ pdf })])));
  await renderApp('/');
  const link = await screen.findByRole('link', { name: /Brief\.pdf\s*PDF · 1\.2 MB\s*Download/ });
  expect(link).toHaveAttribute('href', '/api/posts/p1/pdf');
  expect(link).toHaveAttribute('download', 'Brief.pdf');
});

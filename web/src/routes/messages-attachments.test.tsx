// Pictures and files of messages: chosen, described, uploaded when the message is sent, kept while offline, and shown.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Conversation, Message } from '@/api/schema.gen';
import { forgetFilesOfOthers } from '@/session/file-store';
import {
  conversationId,
  conversationOf,
  installElementHeights,
  messageOf,
  mine,
  threadOf,
} from '@/testing/messages';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';
import { installStreamFakes, removeStreamFakes } from '@/testing/stream';

const address = `/messages/${conversationId}`;
installElementHeights();

let messages: Message[];
let conversation: Partial<Conversation>;
/** The requests, in their order: uploads by their media type and key, messages by their body. */
let requests: unknown[];
let uploadStatus: number;
let uploadCode: string;

const shown = (at: number, alt: string) => ({
  url: `/api/messages/m${at}/pictures/1`,
  alt,
  width: 4,
  height: 3,
});

interface Body {
  content: string;
  pictures?: { id: string; alt?: string }[];
  fileId?: string;
}

beforeEach(() => {
  signedInAs(isabel);
  installStreamFakes();
  messages = [messageOf(1)];
  conversation = {};
  requests = [];
  uploadStatus = 201;
  uploadCode = 'INVALID';
  const upload = ({ request }: { request: Request }) => {
    const [media, key] = ['Content-Type', 'Idempotency-Key'].map((name) => request.headers.get(name));
    requests.push(media);
    if (uploadStatus !== 201)
      return problem(uploadStatus, { error: 'Please try another image.', code: uploadCode });
    return HttpResponse.json(
      { id: `stored ${key}`, width: 4, height: 3, name: 'Brief.pdf', size: 9 },
      { status: 201 },
    );
  };
  server.use(
    http.get('/api/conversations', () => HttpResponse.json([conversationOf(conversation)])),
    http.get('/api/conversations/:id', () => HttpResponse.json(threadOf(messages, conversation))),
    http.post('/api/conversations/:id/typing', () => new HttpResponse(null, { status: 204 })),
    http.post('/api/message-pictures', upload),
    http.post('/api/message-files', upload),
    http.post('/api/conversations/:id/messages', async ({ request }) => {
      const { content, pictures = [], fileId } = (await request.json()) as Body;
      requests.push({ content, alts: pictures.map(({ alt }) => alt), hasFile: Boolean(fileId) });
      const at = messages.length + 1;
      const file = fileId ? { name: 'Brief.pdf', size: 9, url: `/api/messages/m${at}/file` } : null;
      const message = mine(at, { content, pictures: pictures.map(({ alt = '' }) => shown(at, alt)), file });
      messages = [...messages, message];
      return HttpResponse.json(message, { status: 201 });
    }),
  );
});
afterEach(async () => {
  removeStreamFakes();
  await forgetFilesOfOthers(null);
});

const setOnline = (online: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')));
};
const png = (name = 'court.png') => new File(['png'], name, { type: 'image/png' });
const pdf = () => new File(['%PDF-1.7'], 'Brief.pdf', { type: 'application/pdf' });
const field = () => screen.findByRole('textbox', { name: 'Message' });
const input = async () => {
  await field();
  return screen.getByLabelText('Attach pictures or a PDF', { selector: 'input' });
};
const send = () => screen.getByRole('button', { name: 'Send' });
const list = () => screen.getByRole('list', { name: 'Attachments' });
/** Sends when the pictures are ready. */
const press = async (user: { click: (element: Element) => Promise<void> }, button: () => HTMLElement) => {
  await waitFor(() => expect(button()).toBeEnabled());
  await user.click(button());
};

test('pictures are described, removed, and sent without a text', async () => {
  const { user } = await renderApp(address);
  expect(await input()).toBeInTheDocument();
  expect(send()).toBeDisabled();
  await user.upload(await input(), [png('a.png'), png('b.png')]);
  await user.type(screen.getByLabelText('What does picture 2 show?'), ' A court ');
  await user.click(screen.getByRole('button', { name: 'Remove picture 1' }));
  expect(within(list()).getAllByRole('listitem')).toHaveLength(1);
  expect(await field()).toHaveFocus();
  await press(user, send);
  await waitFor(() =>
    expect(requests).toEqual(['image/png', { content: '', alts: ['A court'], hasFile: false }]),
  );
  expect(screen.queryByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
  const opener = await screen.findByRole('button', { name: 'A court Open the picture' });
  await user.click(opener);
  expect(await screen.findByRole('dialog', { name: 'Pictures' })).toBeInTheDocument();
});

test('a pasted and a dropped file are added', async () => {
  const { user } = await renderApp(address);
  fireEvent.paste(await field(), { clipboardData: { types: ['Files'], files: [png()] } });
  expect(await screen.findByLabelText('What does picture 1 show?')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Remove picture 1' }));
  fireEvent.paste(await field(), { clipboardData: { types: ['text/plain', 'Files'], files: [png()] } });
  expect(screen.queryByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
  const pane = (await field()).closest('form')?.parentElement as HTMLElement;
  const dataTransfer = { types: ['Files'], files: [pdf()] };
  fireEvent.dragOver(pane, { dataTransfer });
  expect(screen.getByText('Drop the files to attach them.')).toBeInTheDocument();
  fireEvent.drop(pane, { dataTransfer });
  expect(await screen.findByText('Brief.pdf')).toBeInTheDocument();
  await user.type(await field(), 'The brief{Enter}');
  await waitFor(() =>
    expect(requests).toEqual(['application/pdf', { content: 'The brief', alts: [], hasFile: true }]),
  );
  const card = await screen.findByRole('link', { name: /Brief\.pdf.*Download/ });
  expect(card).toHaveAttribute('href', '/api/messages/m2/file');
  expect(card).toHaveAttribute('download', 'Brief.pdf');
});

test('what a message cannot have is refused', async () => {
  const { user } = await renderApp(address);
  await user.upload(
    await input(),
    Array.from({ length: 5 }, (_, n) => png(`${n}.png`)),
  );
  expect(await screen.findByText('A message can have up to 4 pictures, or one PDF.')).toBeInTheDocument();
  await waitFor(() => expect(within(list()).getAllByRole('listitem')).toHaveLength(4));
  fireEvent.paste(await field(), {
    clipboardData: { types: ['Files'], files: [new File(['x'], 'x.gif', { type: 'image/gif' })] },
  });
  expect(await screen.findByText(/Please choose PNG or JPEG pictures/)).toBeInTheDocument();
});

test('a request that is not accepted has a disabled button that says why', async () => {
  conversation = { waiting: true, filesRefused: true };
  const { user } = await renderApp(address);
  await field();
  const button = screen.getByRole('button', { name: 'Attach pictures or a PDF' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  const reason = 'You can send pictures and files once your request is accepted.';
  expect(button).toHaveAccessibleDescription(reason);
  await user.click(button);
  expect(await screen.findByText('File not added')).toBeInTheDocument();
  fireEvent.paste(await field(), { clipboardData: { types: ['Files'], files: [png()] } });
  expect(screen.queryByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
});

test('offline a message keeps its files, and sends them when the network returns', async () => {
  setOnline(false);
  const first = await renderApp(address);
  await first.user.upload(await input(), png());
  await press(first.user, send);
  await screen.findByText('Waiting for network');
  first.unmount();
  await renderApp(address);
  await screen.findByText('Waiting for network');
  expect(requests).toEqual([]);
  setOnline(true);
  await waitFor(() =>
    expect(requests).toEqual(['image/png', { content: '', alts: [undefined], hasFile: false }]),
  );
  await waitFor(() => expect(screen.queryByText('Waiting for network')).not.toBeInTheDocument());
  expect(messages).toHaveLength(2);
});

test('a draft keeps its files, and the list names them', async () => {
  const first = await renderApp(address);
  await first.user.upload(await input(), [png('a.png'), png('b.png')]);
  await first.user.type(screen.getByLabelText('What does picture 1 show?'), 'Kept');
  first.unmount();
  const list = await renderApp('/messages');
  expect(await screen.findByText('2 pictures')).toBeInTheDocument();
  list.unmount();
  await renderApp(address);
  expect(await screen.findByLabelText('What does picture 1 show?')).toHaveValue('Kept');
});

test('a refused picture is named, and a message without its file can only be discarded', async () => {
  uploadStatus = 400;
  const { user } = await renderApp(address);
  await user.upload(await input(), png());
  await press(user, send);
  expect(await screen.findByText(/Please try another image\./)).toBeInTheDocument();
  await forgetFilesOfOthers(null);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/This browser no longer has the file\./)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Discard' })).not.toBeInTheDocument());
  expect(messages).toHaveLength(1);
});

test.each([
  [409, 'ATTACHMENTS_FULL', /You have sent 500 MB of pictures and files within a year, the maximum\./],
  [429, 'ATTACHMENTS_OF_DAY', /You have added 150 MB of pictures and files to messages within a day/],
])('%i %s says why in the language of the member, and the message stays', async (status, code, text) => {
  uploadStatus = status;
  uploadCode = code;
  const { user } = await renderApp(address);
  await user.upload(await input(), png());
  await press(user, send);
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByText(/Please try another image/)).not.toBeInTheDocument();
  // Other messages are sent all the same.
  await user.type(await field(), 'Without a file');
  await press(user, send);
  await waitFor(() => expect(messages).toHaveLength(2));
  uploadStatus = 201;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(messages).toHaveLength(3));
});

test('a group that no other member accepted says so before a file is chosen', async () => {
  const members = [{ id: isabel.id, fullName: 'Isabel', avatarUrl: null }];
  conversation = {
    otherUser: null,
    group: { title: 'Moot court', memberCount: 3, members, role: 'owner' },
    filesRefused: true,
  } as Partial<Conversation>;
  const { user } = await renderApp(address);
  const reason = 'You can send pictures and files once another member has accepted the group.';
  const button = await screen.findByRole('button', { name: 'Attach pictures or a PDF' });
  expect(button).toHaveAccessibleDescription(reason);
  await user.click(button);
  expect(await screen.findAllByText(reason)).toHaveLength(2);
  expect(requests).toEqual([]);
});

test('uploads that the server has deleted are sent again', async () => {
  let refusals = 0;
  server.use(
    http.post(
      '/api/conversations/:id/messages',
      () => {
        refusals += 1;
        return problem(400, { error: 'Invalid', fields: { pictures: 'Please choose it again.' } });
      },
      { once: true },
    ),
  );
  const { user } = await renderApp(address);
  await user.upload(await input(), png());
  await press(user, send);
  await waitFor(() => expect(messages).toHaveLength(2));
  expect([refusals, requests.filter((one) => one === 'image/png').length]).toEqual([1, 2]);
});

test('the list, a quote and a request say what is attached', async () => {
  conversation = { lastMessage: null, lastAttachments: { pictures: 3, file: false }, folder: 'requests' };
  const attachments = { pictures: 0, file: true };
  const replyTo = { id: 'm1', userId: isabel.id, content: '', attachments };
  messages = [mine(1), messageOf(2, { content: '', pictures: [shown(2, 'A court')], replyTo })];
  await renderApp(`${address}?folder=requests`);
  expect(await screen.findByText('Accept the request to see the pictures and files.')).toBeInTheDocument();
  expect(screen.queryByRole('img', { name: 'A court' })).not.toBeInTheDocument();
  expect(screen.getByText('PDF file')).toBeInTheDocument();
  expect(await screen.findByText('Sent 3 pictures')).toBeInTheDocument();
});

// Several pictures in a post: the composer, the grid in the card, and the viewer.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Post } from '@/api/schema.gen';
import { gate } from '@/testing/jobs';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

beforeEach(() => signedInAs(isabel));

const picture = (n: number, alt = '') => ({ url: `/media/${n}.jpg`, alt, width: 80, height: 60 });
const serve = (...posts: Post[]) => server.use(http.get('/api/posts', () => HttpResponse.json(posts)));
const png = (name: string) => new File([name], name, { type: 'image/png' });

describe('the composer', () => {
  async function compose(refuse?: string) {
    const sent: unknown[] = [];
    let count = 0;
    server.use(
      http.post('/api/pictures', async ({ request }) => {
        const name = await request.text();
        if (name === refuse) return problem(400, { error: 'This is no picture' });
        count += 1;
        return HttpResponse.json({ id: name, ...picture(count) }, { status: 201 });
      }),
      http.post('/api/posts', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(postOf(), { status: 201 });
      }),
    );
    const { user } = await renderApp('/');
    const card = within(await screen.findByRole('region', { name: 'Create a post' }));
    await user.click(card.getByRole('button', { name: 'Photo' }));
    const dialog = within(await screen.findByRole('dialog'));
    const choose = (...files: File[]) =>
      fireEvent.change(dialog.getByLabelText('Choose a picture', { selector: 'input' }), {
        target: { files },
      });
    const post = async () => {
      await waitFor(() => expect(dialog.getByRole('button', { name: 'Post' })).toBeEnabled());
      await user.click(dialog.getByRole('button', { name: 'Post' }));
      expect(await screen.findByText('Post created')).toBeVisible();
    };
    await user.type(dialog.getByRole('textbox', { name: 'Post' }), 'We won.');
    return { user, dialog, sent, choose, post };
  }

  test('sends several pictures in the order of the member, with their descriptions', async () => {
    const { user, dialog, sent, choose, post } = await compose();
    choose(png('a'), png('b'));
    choose(png('c'));
    expect(await dialog.findAllByRole('listitem')).toHaveLength(3);
    await user.type(dialog.getByRole('textbox', { name: 'What does picture 1 show?' }), 'The hall');
    const later = dialog.getByRole('button', { name: 'Move picture 1 down' });
    later.focus();
    await user.keyboard('{Enter}');
    expect(dialog.getByRole('textbox', { name: 'What does picture 2 show?' })).toHaveValue('The hall');
    // The moved picture keeps the focus.
    expect(dialog.getByRole('button', { name: 'Move picture 2 down' })).toHaveFocus();
    expect(dialog.getByText('The picture is now 2 of 3.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Remove picture 3' }));
    await post();
    expect(sent).toEqual([
      { userId: isabel.id, content: 'We won.', pictures: [{ id: 'b' }, { id: 'a', alt: 'The hall' }] },
    ]);
  });

  test('takes up to four pictures', async () => {
    const { dialog, choose } = await compose();
    choose(png('a'), png('b'), png('c'), png('d'), png('e'));
    expect(await screen.findByText('A post can have up to 4 pictures.')).toBeVisible();
    expect(dialog.getAllByRole('listitem')).toHaveLength(4);
    expect(dialog.queryByRole('button', { name: 'Add pictures' })).not.toBeInTheDocument();
  });

  test('takes pasted and dropped pictures, and leaves a pasted text to the field', async () => {
    const { user, dialog, sent, post } = await compose();
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    const field = dialog.getByRole('textbox', { name: 'Post' });
    fireEvent.paste(field, { clipboardData: { types: ['text/plain', 'Files'], files: [png('no')] } });
    expect(dialog.queryByRole('listitem')).not.toBeInTheDocument();
    fireEvent.paste(field, { clipboardData: { types: ['Files'], files: [png('a')] } });
    expect(await dialog.findByRole('textbox', { name: 'What does the picture show?' })).toBeVisible();
    const dataTransfer = { types: ['Files'], files: [png('b')] };
    fireEvent.dragOver(document.body, { dataTransfer });
    expect(await dialog.findByText('Drop pictures or a PDF to attach them.')).toBeVisible();
    // False: the browser does not open the file.
    expect(fireEvent.drop(document.body, { dataTransfer })).toBe(false);
    expect(await dialog.findAllByRole('listitem')).toHaveLength(2);
    await post();
    expect(sent).toEqual([{ userId: isabel.id, content: 'We won.', pictures: [{ id: 'a' }, { id: 'b' }] }]);
  });

  test('opens the chooser of files at once, and only when pictures are asked for', async () => {
    const opened = vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue();
    const { user, dialog, choose } = await compose();
    expect(opened).toHaveBeenCalledTimes(1);
    choose(png('a'));
    await user.click(dialog.getByRole('button', { name: 'Video' }));
    await user.click(dialog.getByRole('button', { name: 'Photo' }));
    expect(opened).toHaveBeenCalledTimes(1);
    opened.mockRestore();
  });

  test('keeps the pictures and their descriptions while another attachment is shown', async () => {
    const { user, dialog, sent, choose, post } = await compose();
    choose(png('a'));
    await user.type(await dialog.findByRole('textbox', { name: 'What does the picture show?' }), 'The hall');
    await user.click(dialog.getByRole('button', { name: 'Article' }));
    expect(dialog.queryByRole('listitem')).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Photo' }));
    expect(dialog.getByRole('textbox', { name: 'What does the picture show?' })).toHaveValue('The hall');
    await post();
    expect(sent).toEqual([{ userId: isabel.id, content: 'We won.', pictureId: 'a', pictureAlt: 'The hall' }]);
  });

  const question = () => screen.findByRole('dialog', { name: 'Remove what you attached?' });

  test('asks before it discards pictures that another attachment hides', async () => {
    const { user, dialog, choose } = await compose();
    choose(png('a'), png('b'));
    await user.click(dialog.getByRole('button', { name: 'Video' }));
    await user.keyboard('{Escape}');
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    await user.click(dialog.getByRole('button', { name: 'Photo' }));
    expect(dialog.getAllByRole('listitem')).toHaveLength(2);
  });

  test('discards hidden pictures, but not the address of the video that hides them', async () => {
    const { user, dialog, choose } = await compose();
    choose(png('a'));
    await user.click(dialog.getByRole('button', { name: 'Video' }));
    await user.type(dialog.getByRole('textbox', { name: 'Link to a video' }), 'https://a.example{Escape}');
    await user.click(within(await question()).getByRole('button', { name: 'Remove' }));
    await user.click(await screen.findByRole('button', { name: /Start a post/ }));
    const again = within(await screen.findByRole('dialog', { name: 'Create a post' }));
    expect(again.getByRole('textbox', { name: 'Link to a video' })).toHaveValue('https://a.example');
    await user.click(again.getByRole('button', { name: 'Photo' }));
    expect(again.queryByRole('listitem')).not.toBeInTheDocument();
  });

  describe('of dropped files', () => {
    const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' });
    const drop = (...files: File[]) =>
      fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files } });
    const mixed = 'A post can have up to 4 pictures, or one PDF.';

    test('takes the pictures, and says so when a PDF is among them', async () => {
      const { dialog, sent, post } = await compose();
      drop(pdf('Brief.pdf'), png('a'), png('b'));
      expect(await screen.findByText(mixed)).toBeVisible();
      expect(dialog.getAllByRole('listitem')).toHaveLength(2);
      await post();
      expect(sent).toEqual([{ userId: isabel.id, content: 'We won.', pictures: [{ id: 'a' }, { id: 'b' }] }]);
    });

    test('takes one of several PDFs, and says so', async () => {
      const { dialog } = await compose();
      server.use(
        http.post('/api/pdf-files', () =>
          HttpResponse.json({ id: 'file', name: 'Brief.pdf', size: 8 }, { status: 201 }),
        ),
      );
      drop(pdf('Brief.pdf'), pdf('Reply.pdf'));
      expect(await screen.findByText(mixed)).toBeVisible();
      expect(await dialog.findByText('Brief.pdf · 1 kB')).toBeVisible();
    });

    test('keeps the address of the video when it takes none', async () => {
      const { user, dialog } = await compose();
      await user.click(dialog.getByRole('button', { name: 'Video' }));
      await user.type(dialog.getByRole('textbox', { name: 'Link to a video' }), 'https://a.example');
      drop(new File(['x'], 'Brief.docx', { type: 'application/msword' }));
      expect(await screen.findByText('Please choose a PNG or JPEG picture.')).toBeVisible();
      expect(dialog.getByRole('textbox', { name: 'Link to a video' })).toHaveValue('https://a.example');
    });

    test('invites none to an article', async () => {
      const { user, dialog } = await compose();
      await user.click(dialog.getByRole('button', { name: 'Article' }));
      fireEvent.dragOver(document.body, { dataTransfer: { types: ['Files'], files: [png('a')] } });
      expect(await dialog.findByText('Pictures and files can be attached to a post only.')).toBeVisible();
    });
  });

  test('while the post is sent, stays open and as it is', async () => {
    const { user, dialog, sent, choose } = await compose();
    const answer = gate();
    server.use(http.post('/api/posts', () => answer.opened as Promise<undefined>));
    choose(png('a'));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Post' })).toBeEnabled());
    const field = dialog.getByRole('textbox', { name: 'Post' });
    await user.type(field, '{Control>}{Enter}{/Control}');
    expect(dialog.getByRole('button', { name: 'Posting...' })).toBeDisabled();
    await user.keyboard(' Twice.{Escape}');
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('readonly');
    expect(field).toHaveValue('We won.');
    expect(dialog.getByRole('textbox', { name: 'What does the picture show?' })).toBeDisabled();
    fireEvent.paste(field, { clipboardData: { types: ['Files'], files: [png('b')] } });
    expect(dialog.getAllByRole('listitem')).toHaveLength(1);
    answer.open();
    expect(await screen.findByText('Post created')).toBeVisible();
    expect(sent).toEqual([{ userId: isabel.id, content: 'We won.', pictureId: 'a' }]);
  });

  test('keeps the other pictures when one is refused', async () => {
    const { sent, choose, post } = await compose('bad');
    choose(png('bad'), png('good'));
    expect(await screen.findByText('Failed to upload picture: 400: This is no picture')).toBeVisible();
    await post();
    expect(sent).toEqual([{ userId: isabel.id, content: 'We won.', pictureId: 'good' }]);
  });
});

describe('the viewer', () => {
  async function open(name: RegExp) {
    const all = [picture(1, 'A full hall'), picture(2), picture(3, 'The winners')];
    serve(postOf({ pictures: all, image: all[0] ?? null, imageUrl: '/media/1.jpg' }));
    const { user } = await renderApp('/');
    const opener = await screen.findByRole('button', { name });
    await user.click(opener);
    return { user, opener, viewer: within(await screen.findByRole('dialog', { name: 'Pictures' })) };
  }

  test('belongs to its post, also when that is mounted anew', async () => {
    const both = [1, 2].map((n) => postOf({ id: `p${n}`, pictures: [picture(n)] }));
    serve(...both);
    // As after a press on the picture of the second post, whose card is gone since.
    await renderApp({ pathname: '/', state: { viewer: { of: 'p2', at: 0 } } });
    const viewer = within(await screen.findByRole('dialog', { name: 'Pictures' }));
    expect(viewer.getByRole('img')).toHaveAttribute('src', '/media/2.jpg');
  });

  test('shows the pressed picture with its description and walks with the arrow keys', async () => {
    const { user, viewer } = await open(/A full hall\s*Open picture 1 of 3/);
    expect(viewer.getByText('1 of 3')).toBeVisible();
    expect(viewer.getByRole('img', { name: 'A full hall' })).toHaveAttribute('src', '/media/1.jpg');
    expect(viewer.getByText('A full hall')).toBeVisible();
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(viewer.getByText('3 of 3')).toBeVisible();
    expect(viewer.getByText('The winners')).toBeVisible();
    expect(viewer.getByRole('button', { name: 'Next picture' })).toHaveAttribute('aria-disabled', 'true');
    await user.keyboard('{ArrowLeft}');
    expect(viewer.getByText('2 of 3')).toBeVisible();
    await user.keyboard('{Home}');
    await user.click(viewer.getByRole('button', { name: 'Next picture' }));
    expect(viewer.getByText('2 of 3')).toBeVisible();
  });

  test('returns the focus when Escape closes it', async () => {
    const { user, opener } = await open(/Open picture 2 of 3/);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(opener).toHaveFocus();
  });

  test('moves to the next picture by a swipe, not by a vertical one', async () => {
    const { viewer } = await open(/Open picture 1 of 3/);
    const drag = (x: number, y: number) => {
      const image = viewer.getByRole('img');
      fireEvent.pointerDown(image, { clientX: 200, clientY: 200, isPrimary: true });
      fireEvent.pointerUp(image, { clientX: 200 + x, clientY: 200 + y, isPrimary: true });
    };
    drag(-80, 10);
    expect(viewer.getByText('2 of 3')).toBeVisible();
    drag(-80, 200);
    drag(-10, 0);
    expect(viewer.getByText('2 of 3')).toBeVisible();
    drag(80, 0);
    expect(viewer.getByText('1 of 3')).toBeVisible();
  });

  test('of a single picture has no steps', async () => {
    const image = picture(1, 'A full hall');
    serve(postOf({ image, imageUrl: image.url }));
    const { user } = await renderApp('/');
    await user.click(await screen.findByRole('button', { name: /Open the picture/ }));
    const viewer = within(await screen.findByRole('dialog', { name: 'Pictures' }));
    expect(viewer.queryByRole('button', { name: 'Next picture' })).not.toBeInTheDocument();
  });
});

test('an answer without the lists of pictures and files shows the image', async () => {
  const { pictures: _, pdf: __, ...plain } = postOf({ image: picture(1, 'A full hall') });
  serve(plain as Post);
  await renderApp('/');
  expect(await screen.findByRole('img', { name: 'A full hall' })).toHaveAttribute('src', '/media/1.jpg');
});

describe('a picture of a community', () => {
  const at = (expires: number) => ({
    ...picture(1, 'A hall'),
    url: `/media/signed/1.jpg?expires=${expires}&signature=x`,
  });
  const now = () => Math.floor(Date.now() / 1000);

  test('has its next address once the first one expired', async () => {
    const [expired, valid] = [at(now() - 60), at(now() + 3600)];
    const post = postOf({ pictures: [expired], image: expired });
    serve(post);
    let read = 0;
    server.use(
      http.get('/api/posts/:id', () => {
        read += 1;
        return HttpResponse.json({ ...post, pictures: [valid], image: valid });
      }),
    );
    await renderApp('/');
    fireEvent.error(await screen.findByRole('img', { name: 'A hall' }));
    await waitFor(() =>
      expect(screen.getByRole('img', { name: 'A hall' })).toHaveAttribute('src', valid.url),
    );
    // A picture that fails for another reason.
    fireEvent.error(screen.getByRole('img', { name: 'A hall' }));
    await Promise.resolve();
    expect(read).toBe(1);
  });
});

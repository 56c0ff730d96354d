// Suggesting a resource: the form, the request, and every response.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { resourceOf } from '@/testing/news';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

let sent: unknown[];

beforeEach(() => {
  sent = [];
  signedInAs(isabel);
});

/** Sets the response to suggestions. */
function answerWith(answer: () => Response) {
  server.use(
    http.post('/api/resources', async ({ request }) => {
      sent.push(await request.json());
      return answer();
    }),
  );
}
const taken = () => HttpResponse.json(resourceOf('Hearsay'), { status: 202 });

async function open(language: 'en' | 'fil' = 'en') {
  const fil = language === 'fil';
  const app = await renderApp('/resources', { language });
  const opener = await screen.findByRole('button', {
    name: fil ? 'Magmungkahi ng sanggunian' : 'Suggest a resource',
  });
  await app.user.click(opener);
  return { ...app, opener, dialog: within(await screen.findByRole('dialog')) };
}

/** Fills in all required fields. */
async function fill({ user, dialog }: Awaited<ReturnType<typeof open>>) {
  await user.type(dialog.getByLabelText('Title'), '  Hearsay ');
  await user.type(dialog.getByLabelText('Link'), 'https://example.org/hearsay');
}

test('a complete suggestion is sent, and the member is thanked', async () => {
  answerWith(taken);
  const app = await open();
  const { user, dialog, opener } = app;
  expect(dialog.getByText(/We review suggestions before they appear here\./)).toBeVisible();
  await fill(app);
  await user.selectOptions(dialog.getByLabelText('Kind'), 'Study material');
  await user.type(dialog.getByLabelText('Description'), 'Every exception.');
  await user.click(dialog.getByRole('button', { name: 'Suggest' }));
  expect(await screen.findByText('Thank you')).toBeVisible();
  expect(screen.getByText('We received your suggestion. It will appear here after a review.')).toBeVisible();
  expect(sent).toEqual([
    {
      title: 'Hearsay',
      url: 'https://example.org/hearsay',
      type: 'study-material',
      description: 'Every exception.',
    },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(opener).toHaveFocus();

  // The next dialog has an empty form.
  await user.click(opener);
  expect(within(await screen.findByRole('dialog')).getByLabelText('Title')).toHaveValue('');
});

test('an empty description is omitted', async () => {
  answerWith(taken);
  const app = await open();
  await fill(app);
  await app.user.click(app.dialog.getByRole('button', { name: 'Suggest' }));
  expect(await screen.findByText('Thank you')).toBeVisible();
  expect(sent).toEqual([{ title: 'Hearsay', url: 'https://example.org/hearsay', type: 'article' }]);
});

test('missing fields and an invalid link show errors at their fields, and nothing is sent', async () => {
  answerWith(taken);
  const { user, dialog } = await open();
  await user.click(dialog.getByRole('button', { name: 'Suggest' }));
  expect(await dialog.findByText('A title is required')).toBeVisible();
  expect(dialog.getByText('A link is required')).toBeVisible();
  expect(dialog.getByLabelText('Title')).toHaveAttribute('aria-invalid', 'true');
  await user.type(dialog.getByLabelText('Link'), 'javascript:alert(1)');
  expect(await dialog.findByText('This must be a link that starts with http:// or https://.')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a known resource shows an error at its link, and the input stays', async () => {
  answerWith(() => problem(409, { error: 'This resource is already known', code: 'RESOURCE_KNOWN' }));
  const app = await open();
  await fill(app);
  await app.user.click(app.dialog.getByRole('button', { name: 'Suggest' }));
  expect(
    await screen.findByText('Failed to suggest the resource: 409: This resource is already known'),
  ).toBeVisible();
  const link = app.dialog.getByLabelText('Link');
  expect(await app.dialog.findByText('This resource has already been added or suggested')).toBeVisible();
  expect(link).toHaveAttribute('aria-invalid', 'true');
  expect(link).toHaveValue('https://example.org/hearsay');

  // Another link may be new.
  answerWith(taken);
  await app.user.type(link, '/rule-803');
  await app.user.click(app.dialog.getByRole('button', { name: 'Suggest' }));
  expect(await screen.findByText('Thank you')).toBeVisible();
  expect(sent.at(-1)).toHaveProperty('url', 'https://example.org/hearsay/rule-803');
});

test.each([
  [
    'ten pending suggestions',
    () =>
      problem(409, { error: 'Ten of your suggestions are waiting already', code: 'TOO_MANY_SUGGESTIONS' }),
    'Failed to suggest the resource: 409: Ten of your suggestions are waiting already',
  ],
  [
    'too many at once',
    () => problem(429, { error: 'Too many requests. Please try again later.' }),
    'Failed to suggest the resource: 429: Too many requests. Please try again later.',
  ],
  [
    'an unavailable service',
    () => problem(503, { error: 'Please try again soon' }),
    'Failed to suggest the resource: 503: Please try again soon',
  ],
])('%s', async (_, answer, text) => {
  answerWith(answer);
  const app = await open();
  await fill(app);
  await app.user.click(app.dialog.getByRole('button', { name: 'Suggest' }));
  expect(await screen.findByText(text)).toBeVisible();
  expect(app.dialog.getByLabelText('Title')).toHaveValue('  Hearsay ');
  expect(app.dialog.getByRole('button', { name: 'Suggest' })).toBeEnabled();
});

test('the server’s errors are shown at their fields', async () => {
  answerWith(() =>
    problem(400, {
      error: 'Please check the form',
      fields: { description: 'This has a letter we cannot keep.' },
    }),
  );
  const app = await open();
  await fill(app);
  await app.user.click(app.dialog.getByRole('button', { name: 'Suggest' }));
  expect(await app.dialog.findByText('This has a letter we cannot keep.')).toBeVisible();
  expect(app.dialog.getByLabelText('Description')).toHaveFocus();
});

test('is translated to Filipino', async () => {
  answerWith(() => problem(409, { error: 'This resource is already known', code: 'RESOURCE_KNOWN' }));
  const { user, dialog } = await open('fil');
  await user.type(dialog.getByLabelText('Pamagat'), 'Hearsay');
  await user.type(dialog.getByLabelText('Link'), 'https://example.org/hearsay');
  await user.click(dialog.getByRole('button', { name: 'Imungkahi' }));
  expect(await dialog.findByText('Naidagdag o naimungkahi na ang sangguniang ito')).toBeVisible();
  answerWith(taken);
  await user.click(dialog.getByRole('button', { name: 'Imungkahi' }));
  expect(await screen.findByText('Salamat')).toBeVisible();
});

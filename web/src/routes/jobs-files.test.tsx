// The résumé and the cover letter of an application: chosen when applying, replaced and removed in My Applications.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { JobApplication } from '@/api/schema.gen';
import { applicationOf, fakeApplications, jobOf } from '@/testing/jobs';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, server, signedInAs } from '@/testing/server';

const pdf = (name: string, text = '%PDF-1.7') => new File([text], name, { type: 'application/pdf' });
const route = '/api/jobs/applications/:id/files/:kind';
const stored = { name: 'cv.pdf', size: 120_400, uploadedAt: '2026-11-20T12:00:00Z', url: '/files/cv' };

/** Accepts an application and its files; records the uploads. */
function acceptFiles(refuse?: string) {
  const uploads: string[] = [];
  let application = applicationOf();
  server.use(
    http.get('/api/jobs', () => HttpResponse.json([jobOf({ externalUrl: 'https://firm.example/1' })])),
    http.post('/api/jobs/:id/apply', () => HttpResponse.json(application, { status: 201 })),
    http.put(route, async ({ params, request }) => {
      const name = decodeURIComponent(request.headers.get('X-File-Name') ?? '');
      const type = request.headers.get('Content-Type');
      uploads.push(`${params.kind} ${name} ${type} ${await request.text()}`);
      if (params.kind === refuse) return problem(503, { error: 'Portia is busy' });
      const field = params.kind === 'resume' ? 'resume' : 'coverLetter';
      application = { ...application, [field]: { ...stored, name } } as JobApplication;
      return HttpResponse.json(application);
    }),
  );
  return uploads;
}

async function openDialog() {
  signedInAs(isabel);
  const { user } = await renderApp('/jobs');
  await user.click(await screen.findByRole('button', { name: 'Apply Now' }));
  return { user, dialog: within(await screen.findByRole('dialog')) };
}

function choose(scope: ReturnType<typeof within>, label: string, file: File) {
  fireEvent.change(scope.getByLabelText(`Choose a PDF: ${label}`, { selector: 'input' }), {
    target: { files: [file] },
  });
}

test('the notes have the first focus, not the question whether it was sent', async () => {
  acceptFiles();
  const { dialog } = await openDialog();
  expect(dialog.getByRole('radio', { name: 'Yes' })).toBeInTheDocument();
  await waitFor(() => expect(dialog.getByLabelText('Notes')).toHaveFocus());
});

test('both files are optional and are uploaded after the application', async () => {
  const uploads = acceptFiles();
  const { user, dialog } = await openDialog();
  expect(dialog.getByRole('group', { name: 'Cover letter' })).toHaveTextContent('PDF, at most 5 MB');
  choose(dialog, 'Résumé', pdf('Résumé (2026).pdf'));
  const resume = within(dialog.getByRole('group', { name: 'Résumé' }));
  expect(resume.getByRole('status')).toHaveTextContent('Résumé (2026).pdf · 1 kB');
  choose(dialog, 'Cover letter', pdf('letter.pdf'));
  await user.click(dialog.getByRole('button', { name: 'Remove: Cover letter' }));
  expect(dialog.getByRole('group', { name: 'Cover letter' })).toHaveTextContent('PDF, at most 5 MB');
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Application Submitted')).toBeVisible();
  expect(uploads).toEqual(['resume Résumé (2026).pdf application/pdf %PDF-1.7']);
});

test('a file that is no PDF or too large is refused before the upload', async () => {
  const uploads = acceptFiles();
  const { dialog } = await openDialog();
  choose(dialog, 'Résumé', new File(['x'], 'cv.docx', { type: 'application/msword' }));
  expect(await screen.findByText('Please choose a PDF file of at most 5 MB.')).toBeVisible();
  choose(dialog, 'Résumé', pdf('cv.pdf', 'x'.repeat(5 * 1024 * 1024 + 1)));
  expect(dialog.getByRole('group', { name: 'Résumé' })).toHaveTextContent('PDF, at most 5 MB');
  expect(uploads).toEqual([]);
});

test('a failed upload leaves the application and says what is missing', async () => {
  acceptFiles('resume');
  const { user, dialog } = await openDialog();
  choose(dialog, 'Résumé', pdf('cv.pdf'));
  choose(dialog, 'Cover letter', pdf('letter.pdf'));
  await user.click(dialog.getByRole('button', { name: 'Submit Application' }));
  expect(await screen.findByText('Files not uploaded')).toBeVisible();
  expect(
    screen.getByText('Your application is in My Applications, without: Résumé. Add the files there.'),
  ).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'My Applications 1' }));
  const row = within(await screen.findByRole('article', { name: 'Summer Associate' }));
  expect(row.getByRole('link', { name: 'Cover letter' })).toBeVisible();
  expect(row.queryByRole('link', { name: 'Résumé' })).not.toBeInTheDocument();
});

test('My Applications shows, replaces and removes a file', async () => {
  signedInAs(isabel);
  const fake = fakeApplications(applicationOf({ resume: stored }));
  const answer = (change: Partial<JobApplication>) => {
    fake.applications = fake.applications.map((one) => ({ ...one, ...change }));
    return HttpResponse.json(fake.applications[0]);
  };
  server.use(
    http.put(route, () => answer({ resume: { ...stored, name: 'new.pdf' } })),
    http.delete(route, () => answer({ resume: null })),
  );
  const { user } = await renderApp('/jobs?tab=applications');
  const row = within(await screen.findByRole('article', { name: 'Summer Associate' }));
  const link = row.getByRole('link', { name: 'Résumé' });
  expect(link).toHaveAttribute('href', '/files/cv');
  expect(link).toHaveAttribute('download', 'cv.pdf');
  await user.click(row.getByRole('button', { name: 'Summer Associate' }));
  const dialog = within(await screen.findByRole('dialog'));
  const resume = within(dialog.getByRole('group', { name: 'Résumé' }));
  expect(resume.getByRole('status')).toHaveTextContent('cv.pdf · 120 kB');
  choose(dialog, 'Résumé', pdf('new.pdf'));
  expect(await resume.findByRole('link', { name: 'new.pdf' })).toBeVisible();
  await user.click(resume.getByRole('button', { name: 'Remove: Résumé' }));
  expect(await resume.findByText('PDF, at most 5 MB')).toBeVisible();
  expect(row.queryByRole('link', { name: 'Résumé' })).not.toBeInTheDocument();
});

test('an answer without the fields of files is an application without files', async () => {
  signedInAs(isabel);
  const { resume: _, coverLetter: __, ...plain } = applicationOf();
  fakeApplications(plain as JobApplication);
  const { user } = await renderApp('/jobs?tab=applications');
  await user.click(await screen.findByRole('button', { name: 'Summer Associate' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('group', { name: 'Résumé' })).toHaveTextContent('PDF, at most 5 MB');
});

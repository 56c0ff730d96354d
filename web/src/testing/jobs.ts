// Test data: postings and applications as the gateway serves them, and a fake of the application routes.
import { HttpResponse, http } from 'msw';
import type {
  ApplicationStatus,
  ApplicationStep,
  Job,
  JobApplication,
  SentToEmployer,
} from '@/api/schema.gen';
import { problem, server } from './server';

/** An open posting with every field except its salary. */
export function jobOf(changes: Partial<Job> = {}): Job {
  return {
    id: '019a0000-0000-7000-8000-0000000000f1',
    title: 'Summer Associate',
    company: 'Harlan & Voss',
    location: 'New York',
    description: 'Rotate through litigation and corporate teams.',
    employmentType: 'internship',
    experienceLevel: 'entry-level',
    practiceArea: 'litigation',
    salary: null,
    source: 'Harlan & Voss careers',
    applicationDeadline: '2026-12-15',
    externalUrl: null,
    postedAt: '2026-11-10',
    closedAt: null,
    isDemo: false,
    applied: false,
    ...changes,
  };
}

/** An application of 18 November without changes. */
export function applicationOf(changes: Partial<JobApplication> = {}): JobApplication {
  const job = jobOf({ applied: true });
  return {
    id: '019a0000-0000-7000-8000-0000000000f9',
    jobId: job.id,
    job,
    applicationDate: '2026-11-18T12:00:00Z',
    notes: null,
    status: 'applied',
    sentToEmployer: null,
    sentToEmployerAt: null,
    resume: null,
    coverLetter: null,
    ...changes,
  };
}

/** Records the queries of later job list requests. */
export function watchJobs(): string[] {
  const asked: string[] = [];
  server.use(
    http.get('/api/jobs', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json([]);
    }),
  );
  return asked;
}

/** A promise that a test resolves. */
export function gate() {
  const waiting: (() => void)[] = [];
  const opened = new Promise<void>((resolve) => void waiting.push(resolve));
  const open = () => {
    for (const go of waiting) go();
  };
  return { opened, open };
}

interface FakeApplications {
  /** The stored applications, newest first; a test may change them. */
  applications: JobApplication[];
  /** The bodies of all update requests. */
  sent: unknown[];
  /** The response to an update waits for this promise. */
  until: Promise<void>;
}

/** Serves these applications from now on; updates are stored, and each status is added to the history. */
export function fakeApplications(...applications: JobApplication[]): FakeApplications {
  const fake: FakeApplications = { applications, sent: [], until: Promise.resolve() };
  const steps = new Map<string, ApplicationStep[]>();
  const stepsOf = (one: JobApplication) =>
    steps.get(one.id) ?? [{ status: 'applied', at: one.applicationDate }];
  const find = (id: unknown) => fake.applications.find((one) => one.id === id);
  const unknown = () => problem(404, { error: 'Application not found' });
  server.use(
    http.get('/api/jobs/applications/my', () => HttpResponse.json(fake.applications)),
    http.get('/api/jobs/applications/:id', ({ params }) => {
      const one = find(params.id);
      return one ? HttpResponse.json({ ...one, history: stepsOf(one) }) : unknown();
    }),
    http.patch<
      { id: string },
      { status?: ApplicationStatus; notes?: string; sentToEmployer?: SentToEmployer }
    >('/api/jobs/applications/:id', async ({ params, request }) => {
      const change = await request.json();
      fake.sent.push(change);
      await fake.until;
      const before = find(params.id);
      if (!before) return unknown();
      if (change.status)
        steps.set(before.id, [...stepsOf(before), { status: change.status, at: '2026-11-21T12:00:00Z' }]);
      const after = {
        ...before,
        ...change,
        notes: change.notes === undefined ? before.notes : change.notes || null,
        sentToEmployerAt: change.sentToEmployer ? '2026-11-21T12:00:00Z' : before.sentToEmployerAt,
      };
      fake.applications = fake.applications.map((one) => (one.id === after.id ? after : one));
      return HttpResponse.json(after);
    }),
  );
  return fake;
}

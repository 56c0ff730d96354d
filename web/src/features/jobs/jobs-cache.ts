// Cache updates of postings and applications, in every list and on their own screens.
import type { QueryClient } from '@tanstack/react-query';
import { keepItems, mapItems } from '@/api/pages';
import { applicationQuery, applicationsQuery, jobQuery, jobStatsQuery, jobsQuery } from '@/api/queries';
import type { Job, JobApplication } from '@/api/schema.gen';
import { foundKey } from '@/api/search';

type Jobs = Parameters<typeof mapItems<Job>>[0];
type Applications = Parameters<typeof mapItems<JobApplication>>[0];

/** Every list of postings and every posting. */
const postings = { queryKey: ['/api/jobs'] };
/** Every list of postings, with any filter. */
const lists = { queryKey: jobsQuery({}).queryKey.slice(0, 2) };

/** Refetches active queries of postings, and the others on their next use. */
export async function postingsChanged(queryClient: QueryClient): Promise<void> {
  // Removed, not invalidated: a cache update of an invalidated query would make it fresh.
  queryClient.removeQueries({ ...postings, type: 'inactive' });
  await Promise.all([
    queryClient.invalidateQueries(postings),
    queryClient.invalidateQueries({ queryKey: jobStatsQuery.queryKey }),
  ]);
}

/** Marks the posting as applied everywhere and prepends the application to the list. */
export function jobApplied(queryClient: QueryClient, application: JobApplication): void {
  const { id, jobId } = application;
  const applied = (job: Job): Job => (job.id === jobId ? { ...job, applied: true } : job);
  queryClient.setQueryData(jobQuery(jobId).queryKey, (job) => job && applied(job));
  for (const queryKey of [lists.queryKey, foundKey('jobs')])
    queryClient.setQueriesData<Jobs>({ queryKey }, (list) => mapItems(list, applied));
  queryClient.setQueryData(applicationsQuery.queryKey, (list) =>
    withFirst(
      keepItems(list, (other) => other.id !== id),
      application,
    ),
  );
}

function withFirst(list: Applications, application: JobApplication): Applications {
  if (!list) return list;
  const pages = list.pages.map((page, at) =>
    at === 0 ? { ...page, items: [application, ...page.items] } : page,
  );
  return { ...list, pages };
}

/**
 * Applies the server's changed fields of an application and invalidates its history. Ignores the posting of the response,
 * whose description may be shortened.
 */
export function applicationChanged(queryClient: QueryClient, application: JobApplication): void {
  const { id, status, notes, sentToEmployer, sentToEmployerAt, resume, coverLetter } = application;
  const change = { status, notes, sentToEmployer, sentToEmployerAt, resume, coverLetter };
  queryClient.setQueryData(applicationsQuery.queryKey, (list) =>
    mapItems(list, (one) => (one.id === id ? { ...one, ...change } : one)),
  );
  const { queryKey } = applicationQuery(id);
  queryClient.setQueryData(queryKey, (one) => one && { ...one, ...change });
  void queryClient.invalidateQueries({ queryKey });
}

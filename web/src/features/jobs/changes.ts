// What the client knows of postings and applications changes: in every list that has them, and on their own screens.
import type { QueryClient } from '@tanstack/react-query';
import { keepItems, mapItems } from '@/api/pages';
import { applicationQuery, applicationsQuery, jobQuery, jobStatsQuery, jobsQuery } from '@/api/queries';
import { foundKey } from '@/api/search';
import type { Job, JobApplication } from '@/api/types';

type Jobs = Parameters<typeof mapItems<Job>>[0];
type Applications = Parameters<typeof mapItems<JobApplication>>[0];

/** Every list of postings and every posting. */
const postings = { queryKey: ['/api/jobs'] };
/** Every list of them, whatever its filters. */
const lists = { queryKey: jobsQuery({}).queryKey.slice(0, 2) };

/** Postings may have come and gone: what is on screen is fetched anew, the rest when it is next looked at. */
export async function postingsChanged(queryClient: QueryClient): Promise<void> {
  // Not only marked as old: to write into a list that is marked would make it pass for fresh.
  queryClient.removeQueries({ ...postings, type: 'inactive' });
  await Promise.all([
    queryClient.invalidateQueries(postings),
    queryClient.invalidateQueries({ queryKey: jobStatsQuery.queryKey }),
  ]);
}

/** The member has applied: the posting says so wherever it is shown, and the application leads the list. */
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
 * What the member may change of an application is as the server says; its history has grown perhaps. The rest of the answer
 * is left: the description of its posting may be cut.
 */
export function applicationChanged(queryClient: QueryClient, { id, status, notes }: JobApplication): void {
  const change = { status, notes };
  queryClient.setQueryData(applicationsQuery.queryKey, (list) =>
    mapItems(list, (one) => (one.id === id ? { ...one, ...change } : one)),
  );
  const { queryKey } = applicationQuery(id);
  queryClient.setQueryData(queryKey, (one) => one && { ...one, ...change });
  void queryClient.invalidateQueries({ queryKey });
}

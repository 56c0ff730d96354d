// The applications of the member, changed on another device or by the closing of a posting.
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { api, type Page, read } from './client';
import { mapItems } from './pages';
import { applicationQuery, applicationsQuery, jobQuery, jobsQuery } from './queries';
import type { Job } from './schema.gen';
import { foundKey } from './search';

/** Reads an application and the list again, and marks its posting as applied. */
export async function rereadApplication(queryClient: QueryClient, id: string): Promise<void> {
  const { jobId } = await read(api.GET('/api/jobs/applications/{id}', { params: { path: { id } } }));
  const applied = (job: Job): Job => (job.id === jobId && !job.applied ? { ...job, applied: true } : job);
  queryClient.setQueryData(jobQuery(jobId).queryKey, (job) => job && applied(job));
  for (const queryKey of [jobsQuery({}).queryKey.slice(0, 2), foundKey('jobs')])
    queryClient.setQueriesData<InfiniteData<Page<Job>>>({ queryKey }, (list) => mapItems(list, applied));
  await Promise.all([
    queryClient.invalidateQueries(applicationQuery(id)),
    queryClient.invalidateQueries({ queryKey: applicationsQuery.queryKey }),
  ]);
}

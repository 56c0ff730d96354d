// A posting in the list: employer, kind, source, salary, deadline, and Apply Now.
import { useId } from 'react';
import { Link } from 'react-router';
import type { Job } from '@/api/schema.gen';
import { SaveButton } from '@/features/saved/save-button';
import { paths } from '@/paths';
import { Highlight } from '@/ui/highlight';
import { ApplyButton } from './apply-button';
import { employerAndPlace, Facts, Kinds } from './job-facts';
import { Monogram } from './monogram';

export function JobCard({ job }: { job: Job }) {
  const title = useId();
  return (
    <article
      aria-labelledby={title}
      className="card grid grid-cols-1 gap-x-4 p-4 sm:grid-cols-[auto_minmax(0,1fr)_auto] md:p-5"
    >
      <Monogram company={job.company} className="size-12 max-sm:hidden sm:row-span-2" />
      <div className="min-w-0 wrap-anywhere">
        <h2 id={title} className="text-subhead">
          <Link to={paths.job(job.id)} dir="auto" className="hover:underline">
            <Highlight>{job.title}</Highlight>
          </Link>
        </h2>
        <p dir="auto" className="text-ui text-muted-foreground">
          <Highlight>{employerAndPlace(job)}</Highlight>
        </p>
      </div>
      <div className="mt-2.5 min-w-0 sm:col-span-2 sm:col-start-2 sm:row-start-2">
        <p dir="auto" className="line-clamp-2 max-w-measure text-ui text-pretty wrap-anywhere">
          <Highlight>{job.description}</Highlight>
        </p>
        <div className="mt-3.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5">
          <Kinds job={job} />
          <div className="flex min-w-0 grow items-center gap-3">
            <Facts job={job} className="grow sm:justify-end" />
            <SaveButton kind="job" id={job.id} name={job.title} className="-my-1 -mr-2 shrink-0" />
          </div>
        </div>
      </div>
      {/* At the top right; on a phone at the bottom with the full width of the card. */}
      <ApplyButton
        job={job}
        describedBy={title}
        className="max-sm:mt-4 sm:col-start-3 sm:row-start-1 sm:self-start"
      />
    </article>
  );
}

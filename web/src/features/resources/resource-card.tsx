// A resource in the list: kind, title, two lines of description, and link.
import { Link } from 'react-router';
import type { Resource } from '@/api/schema.gen';
import { SaveButton } from '@/features/saved/save-button';
import { paths } from '@/paths';
import { Highlight } from '@/ui/highlight';
import { LoadingRows, Skeleton } from '@/ui/skeleton';
import { savedId } from './built-in';
import { Kind, Visit } from './parts';
export const resourceGrid = 'grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3 lg:gap-5';

export function ResourceCard({ resource }: { resource: Resource }) {
  const { id, title, description } = resource;
  return (
    <article className="card flex min-w-0 flex-col p-5">
      <Kind resource={resource} />
      <h2 className="mt-2 text-subhead wrap-anywhere">
        <Link to={paths.resource(id)} dir="auto" className="hover:underline">
          <Highlight>{title}</Highlight>
        </Link>
      </h2>
      <p dir="auto" className="mt-1 line-clamp-3 text-ui text-muted-foreground wrap-anywhere">
        <Highlight>{description}</Highlight>
      </p>
      <div className="mt-auto flex items-center justify-between gap-2 pt-5">
        <Visit resource={resource} />
        <SaveButton kind="resource" id={savedId(id)} name={title} className="-mr-2" />
      </div>
    </article>
  );
}

export function ResourceSkeletons() {
  return (
    <LoadingRows className={resourceGrid} row="card space-y-3 p-5">
      <Skeleton className="h-3.5 w-24" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-3.5 w-[95%]" />
      <Skeleton className="h-3.5 w-3/5" />
      <div className="pt-2">
        <Skeleton className="h-8 w-32" />
      </div>
    </LoadingRows>
  );
}

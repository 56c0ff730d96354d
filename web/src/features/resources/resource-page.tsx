// The page of a resource: kind, title, full description, and link.
import type { Resource } from '@/api/schema.gen';
import { SaveButton } from '@/features/saved/save-button';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { savedId } from './built-in';
import { Kind, Visit } from './parts';

export function ResourcePage({ resource }: { resource: Resource }) {
  const { title, description } = resource;
  return (
    <article className="card p-5 md:p-8">
      <Kind resource={resource} />
      <h1 className="mt-2 font-serif text-title text-balance wrap-anywhere max-sm:text-[1.625rem]">
        {title}
      </h1>
      {description && (
        <p dir="auto" className="mt-3 max-w-measure whitespace-pre-line text-body wrap-anywhere">
          {description}
        </p>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Visit resource={resource} primary />
        <SaveButton kind="resource" id={savedId(resource.id)} name={title} worded />
      </div>
    </article>
  );
}

export function ResourceSkeleton() {
  return (
    <Loading className="card p-5 md:p-8">
      <Skeleton className="h-3.5 w-28" />
      <Skeleton className="mt-4 h-7 w-72 max-w-full" />
      <Bars className="mt-5 max-w-measure space-y-3" of={['h-3.5 w-[95%]', 'h-3.5 w-3/5']} />
      <Skeleton className="mt-7 h-9 w-40" />
    </Loading>
  );
}

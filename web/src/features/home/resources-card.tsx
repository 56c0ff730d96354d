// 'Law school resources': the server's resources first, then the built-in ones.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resourcesQuery } from '@/api/queries';
import { builtInResources } from '@/features/resources/built-in';
import { resourceIcon } from '@/features/resources/kind';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { RailCard, RailSkeleton } from './rail-card';

const shownAtMost = 3;

export function ResourcesCard() {
  const { t } = useTranslation('home');
  const { data, isPending, refetch } = useInfiniteQuery(resourcesQuery());
  // The built-in resources are shown even without a response.
  const resources = [...(data?.pages[0]?.items ?? []), ...builtInResources];
  return (
    <RailCard
      title={t('resources')}
      items={resources.slice(0, shownAtMost)}
      isPending={isPending}
      skeleton={
        <RailSkeleton className="mt-2.5 space-y-0.5" row="min-h-8 py-1.5" picture="size-4" lines={1} />
      }
      empty=""
      onRetry={refetch}
      footer={
        <Link to={paths.resources} className="link reach mt-2.5 inline-block text-caption font-medium">
          {t('allResources')}
        </Link>
      }
    >
      {(items) => (
        <ul className="mt-2.5 space-y-0.5">
          {items.map((resource) => {
            const { id, title } = resource;
            const Icon = resourceIcon(resource);
            return (
              <li key={id}>
                <Link
                  to={paths.resource(id)}
                  className="-mx-2 flex items-start gap-2.5 rounded-md px-2 py-1.5 text-ui hover:bg-hover"
                >
                  <Icon className="icon-sm mt-0.5 text-muted-foreground" />
                  <span dir="auto" className="min-w-0 wrap-anywhere">
                    {title}
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </RailCard>
  );
}

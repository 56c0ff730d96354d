// The page of a resource: one of the server's, or one of the three built-in ones.
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, LibraryBig } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { resourceQuery } from '@/api/queries';
import { builtInResources } from '@/features/resources/built-in';
import { ResourcePage, ResourceSkeleton } from '@/features/resources/resource-page';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { DetailFallback } from '@/ui/detail-fallback';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';

export function Component() {
  const { t } = useTranslation('resources');
  const { id = '' } = useParams();
  const builtIn = builtInResources.find((resource) => resource.id === id);
  const query = useQuery({ ...resourceQuery(id), enabled: !builtIn });
  const resource = builtIn ?? query.data;
  return (
    <Page key={id} width="reading">
      {resource ? (
        <>
          <NamedMeta page="resource" name={resource.title} about={resource.description} />
          <Link
            to={paths.resources}
            className={buttonClass({ variant: 'ghost', size: 'sm', className: 'mb-3 -ml-3' })}
          >
            <ArrowLeft className="icon-sm" />
            {t('all')}
          </Link>
          <ResourcePage resource={resource} />
        </>
      ) : (
        <DetailFallback
          page="resources"
          heading={t('one')}
          query={query}
          skeleton={<ResourceSkeleton />}
          gone={isUnknown(query.error)}
          unknown={{ icon: LibraryBig, title: t('unknown'), hint: t('unknownHint') }}
          others={{ to: paths.resources, label: t('all') }}
          failed={t('oneFailed')}
        />
      )}
    </Page>
  );
}

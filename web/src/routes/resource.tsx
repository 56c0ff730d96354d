// The resource whose id stands in the address: one of the server's, or one of the three the client brings itself.
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, LibraryBig } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isUnknown } from '@/api/error';
import { resourceQuery } from '@/api/queries';
import { builtInResources } from '@/features/resources/built-in';
import { ResourcePage, ResourceSkeleton } from '@/features/resources/resource-page';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { Empty } from '@/ui/empty';
import { ErrorPanel } from '@/ui/error-panel';
import { NamedMeta } from '@/ui/named-meta';
import { Page } from '@/ui/page';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('resources');
  const { id = '' } = useParams();
  const builtIn = builtInResources.find((resource) => resource.id === id);
  const { data, error, isPending, refetch } = useQuery({ ...resourceQuery(id), enabled: !builtIn });
  const resource = builtIn ?? data;
  return (
    <Page key={id} className="max-w-[52rem]!">
      {resource ? (
        <>
          <NamedMeta page="resource" name={resource.title} about={resource.description} />
          <Link
            to={paths.resources}
            className={buttonClass({ variant: 'ghost', size: 'sm', className: 'mb-3 -ml-3' })}
          >
            <ArrowLeft className="icon-sm" aria-hidden="true" />
            {t('all')}
          </Link>
          <ResourcePage resource={resource} />
        </>
      ) : (
        <>
          <PageMeta page="resources" />
          <h1 className="sr-only">{t('one')}</h1>
          {isPending ? (
            <ResourceSkeleton />
          ) : isUnknown(error) ? (
            <Unknown />
          ) : (
            <ErrorPanel onRetry={() => void refetch()}>{t('oneFailed')}</ErrorPanel>
          )}
        </>
      )}
    </Page>
  );
}

function Unknown() {
  const { t } = useTranslation('resources');
  return (
    <Card>
      <Empty
        icon={LibraryBig}
        title={t('unknown')}
        hint={t('unknownHint')}
        action={
          <Link to={paths.resources} className={buttonClass({ variant: 'outline' })}>
            {t('all')}
          </Link>
        }
      />
    </Card>
  );
}

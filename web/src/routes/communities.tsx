// Every community, the largest first.
import { useQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { communitiesQuery } from '@/api/queries';
import { communityIcon } from '@/features/home/communities-card';
import { paths } from '@/paths';
import { ListScreen } from '@/ui/list-screen';
import { PageMeta } from '@/ui/page-meta';

export function Component() {
  const { t } = useTranslation('pages');
  const texts = {
    title: t('communities.title'),
    none: t('communities.none'),
    failed: t('communities.failed'),
  };
  return (
    <>
      <PageMeta page="communities" />
      <ListScreen texts={texts} icon={Landmark} query={useQuery(communitiesQuery)}>
        {({ id, name, memberCount }) => {
          const Icon = communityIcon(name);
          return (
            <Link
              key={id}
              to={paths.community(id)}
              className="flex items-center gap-3.5 px-5 py-3.5 -outline-offset-2 hover:bg-hover"
            >
              <span className="grid size-10 shrink-0 place-items-center rounded-md bg-muted text-gold-text">
                <Icon className="icon" aria-hidden="true" />
              </span>
              <span className="min-w-0 wrap-anywhere">
                <span className="block text-ui font-semibold">{name}</span>
                <span className="block text-micro text-muted-foreground tabular-nums">
                  {t('communities.members', { count: memberCount })}
                </span>
              </span>
            </Link>
          );
        }}
      </ListScreen>
    </>
  );
}

// Something to study with: kind, title, two lines, and where it is.
import {
  BookOpen,
  ExternalLink,
  FileText,
  Library,
  type LucideIcon,
  Newspaper,
  NotebookText,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Resource } from '@/api/types';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { webAddress } from '@/web-address';

export const resourceKinds = ['article', 'guide', 'study-material', 'case-brief'] as const;
type ResourceKind = (typeof resourceKinds)[number];

const icons: Record<ResourceKind, LucideIcon> = {
  article: Newspaper,
  guide: BookOpen,
  'study-material': NotebookText,
  'case-brief': FileText,
};

/** Any other value is treated like an article (specification, section 3). */
export function kindOf({ type }: Resource): ResourceKind {
  return resourceKinds.find((kind) => kind === type) ?? 'article';
}

export function resourceIcon(resource: Resource): LucideIcon {
  return icons[kindOf(resource)];
}

export function ResourceCard({ resource }: { resource: Resource }) {
  const { t } = useTranslation('resources');
  const Icon = resourceIcon(resource);
  const address = webAddress(resource.url);
  return (
    <article className="card flex min-w-0 flex-col p-5">
      <p className="flex items-center gap-2 text-caption font-medium text-muted-foreground">
        <Icon className="icon-sm text-gold-text" aria-hidden="true" />
        {t(`kind.${kindOf(resource)}`)}
      </p>
      <h2 className="mt-2 text-subhead wrap-anywhere">
        <Link to={paths.resource(resource.id)} className="hover:underline">
          {resource.title}
        </Link>
      </h2>
      <p className="mt-1 line-clamp-3 text-ui text-muted-foreground wrap-anywhere">{resource.description}</p>
      <div className="mt-auto pt-5">
        {address ? (
          <a
            href={address}
            target="_blank"
            rel="noopener nofollow"
            className={buttonClass({ variant: 'outline', size: 'sm' })}
          >
            {t('visit')}
            <ExternalLink className="icon-sm" aria-hidden="true" />
          </a>
        ) : (
          <span className="inline-flex h-8 items-center gap-1.5 text-caption text-muted-foreground">
            <Library className="icon-sm" aria-hidden="true" />
            {t('internal')}
          </span>
        )}
      </div>
    </article>
  );
}

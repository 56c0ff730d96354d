// Shared parts of a resource's card and page: the kind, and the link.
import { ExternalLink, Library } from 'lucide-react';
import type { Resource } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from '@/ui/button';
import { webAddress } from '@/web-address';
import { kindOf, resourceIcon } from './kind';

export function Kind({ resource }: { resource: Resource }) {
  const { t } = useTranslation('resources');
  const Icon = resourceIcon(resource);
  return (
    <p className="flex items-center gap-2 text-caption font-medium text-muted-foreground">
      <Icon className="icon-sm text-gold-text" />
      {t(`kind.${kindOf(resource)}`)}
    </p>
  );
}

interface VisitProps {
  resource: Resource;
  /** The primary action of the resource's page. */
  primary?: boolean;
}

/** The outside link, or the label of an internal resource. */
export function Visit({ resource, primary }: VisitProps) {
  const { t } = useTranslation('resources');
  const address = webAddress(resource.url);
  if (!address) {
    return (
      <span className="inline-flex h-8 items-center gap-1.5 text-caption text-muted-foreground">
        <Library className="icon-sm" />
        {t('internal')}
      </span>
    );
  }
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener nofollow"
      className={buttonClass(primary ? {} : { variant: 'outline', size: 'sm' })}
    >
      {t('visit')}
      <ExternalLink className="icon-sm" />
    </a>
  );
}

// The failed state of a list; it replaces the list, never the page.
import { CircleAlert, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from './button';

interface ErrorPanelProps {
  title?: ReactNode;
  children: ReactNode;
  /** Shows Try Again; a list or screen that failed to load always has it. */
  onRetry?: () => void;
}

export function ErrorPanel({ title, children, onRetry }: ErrorPanelProps) {
  const { t } = useTranslation('shell');
  return (
    <div role="alert" className="flex items-start gap-3 rounded-lg bg-destructive-soft p-4 text-ui">
      <CircleAlert className="icon text-destructive-text" />
      <div className="min-w-0">
        {title && <p className="font-semibold">{title}</p>}
        <p>{children}</p>
        {onRetry && (
          <Button variant="outline" size="sm" className="mt-3" onClick={onRetry}>
            <RefreshCw className="icon-sm" />
            {t('tryAgain')}
          </Button>
        )}
      </div>
    </div>
  );
}

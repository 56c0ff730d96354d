// The ring that turns while the session resolves or a screen's code arrives.
import { useTranslation } from '@/i18n/use-translation';

export function Spinner({ className = '' }: { className?: string }) {
  const { t } = useTranslation('shell');
  return <div role="status" aria-label={t('loading')} className={`spinner ${className}`} />;
}

/** Alone under the header. */
export function PageSpinner() {
  return (
    <div className="shell-body">
      <Spinner />
    </div>
  );
}

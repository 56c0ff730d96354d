// The spinner while the session resolves or the code of a screen loads.
import { useTranslation } from '@/i18n/use-translation';

export function Spinner({ className = '' }: { className?: string }) {
  const { t } = useTranslation('shell');
  return <div role="status" aria-label={t('loading')} className={`spinner ${className}`} />;
}

/** Centred below the header. */
export function PageSpinner() {
  return (
    <div className="shell-body">
      <Spinner />
    </div>
  );
}

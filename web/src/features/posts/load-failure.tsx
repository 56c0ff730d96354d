// The failed state of comments and replies, with a way to try again.
import { useTranslation } from '@/i18n/use-translation';

interface LoadFailureProps {
  text: string;
  disabled: boolean;
  onRetry: () => void;
}

export function LoadFailure({ text, disabled, onRetry }: LoadFailureProps) {
  const { t } = useTranslation();
  return (
    <p role="alert" className="text-caption text-destructive-text">
      {text}{' '}
      <button type="button" className="link reach font-medium" disabled={disabled} onClick={onRetry}>
        {t('tryAgain')}
      </button>
    </p>
  );
}

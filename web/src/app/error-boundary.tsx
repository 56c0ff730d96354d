// Error boundary around a screen that fails to render or to load: a sentence and a reload button, inside the layout.
import { Component, type ReactNode } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';

interface ErrorBoundaryProps {
  /** The current address: navigation to another one resets the error. */
  address: string;
  children: ReactNode;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, { failedAt: string | null }> {
  override state = { failedAt: null };

  static getDerivedStateFromProps(
    { address }: ErrorBoundaryProps,
    { failedAt }: { failedAt: string | null },
  ) {
    return failedAt !== null && failedAt !== address ? { failedAt: null } : null;
  }

  override componentDidCatch() {
    // React has logged the error; only the address is stored.
    this.setState({ failedAt: this.props.address });
  }

  override render() {
    return this.state.failedAt === null ? this.props.children : <ScreenError />;
  }
}

function ScreenError() {
  const { t } = useTranslation('shell');
  return (
    <div role="alert" className="px-4 py-24 text-center">
      <p className="font-serif text-heading">{t('broken.title')}</p>
      <p className="mt-1 mb-4 text-body text-muted-foreground">{t('broken.description')}</p>
      <Button onClick={() => window.location.reload()}>{t('broken.reload')}</Button>
    </div>
  );
}

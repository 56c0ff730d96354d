// What shows when a screen's code fails or does not arrive: one sentence and a reload, inside the layout.
import { TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/empty';

export function Broken() {
  const { t } = useTranslation('shell');
  const error = useRouteError();
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the only place where a broken screen leaves its reason.
    console.error(error);
  }, [error]);
  return (
    <Empty
      icon={TriangleAlert}
      title={t('broken.title')}
      hint={t('broken.description')}
      action={<Button onClick={() => window.location.reload()}>{t('broken.reload')}</Button>}
      className="py-24"
    />
  );
}

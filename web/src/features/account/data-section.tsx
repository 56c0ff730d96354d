// Settings, Your data: the export of the member's data as a ZIP.
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { api, read } from '@/api/client';
import { isStepUpDeclined } from '@/api/step-up';
import type { User } from '@/api/types';
import { refusal } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from '@/ui/button';
import { toast } from '@/ui/toast';
import { SettingsSection } from './settings-section';

export function DataSection({ user }: { user: User }) {
  const { t } = useTranslation(['settings', 'shell']);
  const link = useRef<HTMLAnchorElement>(null);
  const isPermitted = useRef(false);
  // A download cannot ask for a proof: this request does before it.
  const permit = useMutation({
    mutationFn: () => read(api.GET('/api/auth/reauthenticate')),
    onSuccess: () => {
      isPermitted.current = true;
      link.current?.click();
    },
    onError: (error) => {
      if (isStepUpDeclined(error)) return;
      toast({
        variant: 'destructive',
        title: t('shell:error'),
        description: refusal(error).sentence ?? t('data.failed'),
      });
    },
  });
  return (
    <SettingsSection anchor="data" title={t('data.title')} about={t('data.about')}>
      {/* The browser's own download streams to disk and reports an interrupted transfer. */}
      <a
        ref={link}
        href={`/api/users/${encodeURIComponent(user.id)}/export`}
        download
        className={buttonClass({ variant: 'outline' })}
        onClick={(event) => {
          if (isPermitted.current) {
            isPermitted.current = false;
            return;
          }
          event.preventDefault();
          if (!permit.isPending) permit.mutate();
        }}
      >
        <Download className="icon-sm" aria-hidden="true" />
        {t('data.export')}
      </a>
    </SettingsSection>
  );
}

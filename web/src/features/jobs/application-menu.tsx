// The menu of an application: the six statuses, and the item that opens its dialog.
import type { ReactElement } from 'react';
import type { JobApplication } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Menu, MenuChoice, MenuItem } from '@/ui/menu';
import { useApplicationChange, useShown } from './application-change';
import { statuses } from './status-badge';

interface ApplicationMenuProps {
  application: JobApplication;
  trigger: ReactElement;
  onDetails: () => void;
}

export function ApplicationMenu({ application, trigger, onDetails }: ApplicationMenuProps) {
  const { t } = useTranslation('jobs');
  const { status } = useShown(application);
  const change = useApplicationChange(application.id);
  return (
    <Menu trigger={trigger} heading={t('statusHeading')} defaultOpen>
      <MenuChoice
        options={statuses.map((value) => ({ value, label: t(`status.${value}`) }))}
        value={status}
        onChange={(next) => next !== status && change.mutate({ status: next })}
      />
      <div className="my-1.5 border-t" />
      <MenuItem act={onDetails}>{t('details')}</MenuItem>
    </Menu>
  );
}

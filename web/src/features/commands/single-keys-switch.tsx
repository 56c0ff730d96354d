// The switch of the single-key shortcuts, in Settings and in the list of shortcuts.
import { useTranslation } from '@/i18n/use-translation';
import { switchSingleKeys, useSingleKeys } from '@/ui/single-keys';
import { Switch } from '@/ui/switch';

export function SingleKeysSwitch() {
  const { t } = useTranslation('commands');
  return (
    <Switch
      label={t('shortcuts.single')}
      hint={t('shortcuts.singleHint')}
      checked={useSingleKeys()}
      onChange={switchSingleKeys}
    />
  );
}

// Settings, Keyboard shortcuts: the switch of single keys, for this browser, and the list of all shortcuts.
import { SingleKeysSwitch } from '@/features/commands/single-keys-switch';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { useOpening } from '@/ui/use-opening';
import { SettingsSection } from './settings-section';

const ShortcutsDialog = lazy(
  async () => (await import('@/features/commands/shortcuts-dialog')).ShortcutsDialog,
);

export function KeyboardSection() {
  const { t } = useTranslation('commands');
  const help = useOpening();
  return (
    <SettingsSection anchor="keyboard" title={t('shortcuts.title')} about={t('shortcuts.about')}>
      <div className="-mt-3">
        <SingleKeysSwitch />
      </div>
      <Button variant="outline" className="mt-2" aria-haspopup="dialog" onClick={help.open}>
        {t('shortcuts.show')}
      </Button>
      {help.nr > 0 && (
        <ShortcutsDialog open={help.isOpen} onOpenChange={(open) => (open ? help.open() : help.close())} />
      )}
    </SettingsSection>
  );
}

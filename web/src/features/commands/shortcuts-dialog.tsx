// The list of keyboard shortcuts, with the switch for single-key shortcuts.
import { useTranslation } from '@/i18n/use-translation';
import { Dialog } from '@/ui/dialog';
import { SingleKeysSwitch } from './single-keys-switch';

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

const everywhere = [
  [[isMac ? '⌘' : 'Ctrl', 'K'], 'palette'],
  [['/'], 'search'],
  [['?'], 'help'],
] as const;

const feed = [
  [['J'], 'next'],
  [['K'], 'previous'],
  [['Enter'], 'open'],
  [['L'], 'like'],
  [['C'], 'comment'],
] as const;

interface ShortcutsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ShortcutsDialog({ open, onOpenChange }: ShortcutsDialogProps) {
  const { t } = useTranslation('commands');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('shortcuts.title')}>
      <Keys title={t('shortcuts.everywhere')} rows={everywhere} />
      <Keys title={t('shortcuts.feed')} rows={feed} />
      <div className="mt-4 border-t pt-1 pb-3">
        <SingleKeysSwitch />
      </div>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: typeof everywhere | typeof feed }) {
  const { t } = useTranslation('commands');
  return (
    <section className="pt-2">
      <h3 className="pb-1 text-caption font-semibold text-muted-foreground">{title}</h3>
      <dl>
        {rows.map(([keys, name]) => (
          <div key={name} className="flex min-h-9 items-center justify-between gap-4 text-ui">
            <dt>{t(`shortcuts.${name}`)}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-xs border bg-muted px-1.5 py-0.5 text-center font-sans text-micro font-medium"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

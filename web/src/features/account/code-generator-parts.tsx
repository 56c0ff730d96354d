// New recovery codes, shown once.
import { Copy, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { User } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { copyText } from '@/ui/copy-text';
import { Checkbox } from '@/ui/field';

interface CodeListProps {
  user: User;
  codes: string[];
  /** The member confirms first that the codes are stored. */
  mustBeStored?: boolean;
  onDone: () => void;
}

export function CodeList({ user, codes, mustBeStored = false, onDone }: CodeListProps) {
  const { t, i18n } = useTranslation('account');
  const [isStored, setStored] = useState(false);
  const intro = useRef<HTMLParagraphElement>(null);
  useEffect(() => intro.current?.focus(), []);

  const copy = () =>
    copyText(
      codes.join('\n'),
      { title: t('codes.copied') },
      { variant: 'destructive', title: t('codes.notCopied'), description: t('codes.notCopiedText') },
    );
  const download = () => {
    const made = formatDate(i18n.language, new Date().toISOString(), { dateStyle: 'long' });
    const head = t('codes.file', { username: user.username, date: made });
    save(`portia-recovery-codes-${user.username}.txt`, [head, '', ...codes, ''].join('\n'));
  };

  return (
    <div>
      <p ref={intro} tabIndex={-1} className="text-ui text-pretty outline-none">
        {t('codes.intro')}
      </p>
      <ol
        aria-label={t('codes.title')}
        className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(17.5rem,100%),1fr))] gap-x-6 gap-y-1.5 rounded-md bg-muted px-4 py-3 font-mono text-ui"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" onClick={copy}>
          <Copy className="icon-sm" />
          {t('codes.copy')}
        </Button>
        <Button variant="outline" onClick={download}>
          <Download className="icon-sm" />
          {t('codes.download')}
        </Button>
        {!mustBeStored && <Button onClick={onDone}>{t('codes.done')}</Button>}
      </div>
      {mustBeStored && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Checkbox
            label={t('codes.stored')}
            checked={isStored}
            onChange={({ target }) => setStored(target.checked)}
          />
          <Button disabled={!isStored} onClick={onDone}>
            {t('codes.done')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Downloads a text file. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Safari starts to read only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

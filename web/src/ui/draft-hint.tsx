// The mark of a draft with a button that discards it, and then one that brings it back.
import { useState } from 'react';
import { useTranslation } from '@/i18n/use-translation';
import { Badge } from './badge';
import './unsaved-texts';

interface DraftHintProps<Value> {
  value: Value;
  empty: Value;
  isEmpty: boolean;
  onChange: (value: Value) => void;
  className?: string;
}

export function DraftHint<Value>({ value, empty, isEmpty, onChange, className = '' }: DraftHintProps<Value>) {
  const { t } = useTranslation('unsaved');
  const [removed, setRemoved] = useState<{ value: Value } | null>(null);
  if (isEmpty && !removed) return null;
  const press = () => {
    if (!isEmpty) {
      setRemoved({ value });
      onChange(empty);
    } else if (removed) {
      setRemoved(null);
      onChange(removed.value);
    }
  };
  return (
    <div className={`flex shrink-0 items-center gap-2 text-micro ${className}`}>
      {isEmpty ? (
        <span role="status" className="text-muted-foreground">
          {t('draftDiscarded')}
        </span>
      ) : (
        <DraftMark />
      )}
      <button type="button" className="link reach font-medium" onClick={press}>
        {t(isEmpty ? 'undo' : 'discardDraft')}
      </button>
    </div>
  );
}

export function DraftMark() {
  const { t } = useTranslation('unsaved');
  return <Badge>{t('draft')}</Badge>;
}

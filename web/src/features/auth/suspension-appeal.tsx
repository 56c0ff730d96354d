// The state of a suspended account after a refused sign-in, and the form of an appeal.
import { type FormEvent, useState } from 'react';
import { api, read } from '@/api/client';
import { limits } from '@/api/limits.gen';
import type { AppealOffer } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { Card } from '@/ui/card';
import { TextArea } from '@/ui/field';

/** The text is no draft: the device may be shared, and the member is not signed in. */
export function SuspensionAppeal({ offer }: { offer: AppealOffer }) {
  const { t } = useTranslation('auth');
  const [isOpen, setOpen] = useState(false);
  const [isSent, setSent] = useState(false);
  const { state, token } = offer;
  if (isSent) return <Notice text={t('appeal.sentText')} />;
  if (!token) {
    if (state === 'waiting') return <Notice text={t('appeal.waiting')} />;
    if (state === 'upheld') return <Notice text={t('appeal.upheld')} />;
    return <Notice text={t('appeal.operators')} />;
  }
  return (
    <Card aria-labelledby="appeal-title" className="mt-6 space-y-3 px-5 py-4">
      <h2 id="appeal-title" className="text-subhead">
        {t('toast.suspended')}
      </h2>
      <p className="text-ui text-pretty text-muted-foreground">{t('appeal.about')}</p>
      {isOpen ? (
        <AppealForm token={token} onSent={() => setSent(true)} />
      ) : (
        <Button variant="outline" onClick={() => setOpen(true)}>
          {t('appeal.open')}
        </Button>
      )}
    </Card>
  );
}

function Notice({ text }: { text: string }) {
  return (
    <Card className="mt-6 px-5 py-4">
      <p role="status" className="text-ui text-pretty">
        {text}
      </p>
    </Card>
  );
}

function AppealForm({ token, onSent }: { token: string; onSent: () => void }) {
  const { t } = useTranslation('auth');
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const appeal = useChange({
    mutationFn: (text: string) => read(api.POST('/api/auth/suspension-appeal', { body: { token, text } })),
    done: () => ({ title: t('appeal.sent'), description: t('appeal.sentText') }),
    failed: ({ message }) => ({ title: t('appeal.failed'), description: message }),
    onSuccess: onSent,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    setMissing(!said);
    if (said && !appeal.isPending) appeal.mutate(said);
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-3">
      <TextArea
        autoFocus
        label={t('appeal.label')}
        rows={4}
        maxLength={limits.AppealSuspension.text.max}
        value={text}
        error={isMissing ? t('appeal.missing') : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" busy={appeal.isPending} busyLabel={t('appeal.sending')}>
        {t('appeal.send')}
      </Button>
    </form>
  );
}

// Setting up an authenticator app: the secret as a QR code and as text, and the first code of the app.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { encode } from 'uqr';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { isStepUpDeclined } from '@/api/step-up';
import { totpQuery } from '@/api/totp';
import type { TotpSecret } from '@/api/types';
import { refusal } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextField } from '@/ui/field';
import { toast } from '@/ui/toast';

interface TotpSetupProps {
  secret: TotpSecret;
  onClose: () => void;
}

export function TotpSetup({ secret: { secret, uri }, onClose }: TotpSetupProps) {
  const { t } = useTranslation(['settings', 'shell']);
  const queryClient = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => read(api.POST('/api/auth/totp/confirm', { body: { oneTimeCode: code } })),
    onSuccess: () => {
      queryClient.setQueryData(totpQuery.queryKey, { confirmedAt: new Date().toISOString() });
      toast({ variant: 'success', title: t('totp.added'), description: t('totp.addedText') });
      onClose();
    },
    onError: (error) => {
      field.current?.focus();
      if (isStepUpDeclined(error) || (error instanceof ApiError && error.fields.oneTimeCode)) return;
      toast({
        variant: 'destructive',
        title: t('shell:error'),
        description: refusal(error).sentence ?? t('totp.notChanged'),
      });
    },
  });
  const copy = async () => {
    try {
      // Not available on a page without https.
      await navigator.clipboard.writeText(secret);
      toast({ variant: 'success', title: t('totp.copied') });
    } catch {
      toast({ variant: 'destructive', title: t('totp.notCopied') });
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('totp.setUpTitle')}
      description={t('totp.scan')}
      footer={
        <>
          <Button variant="ghost" className="ml-auto" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" form="totp-setup" busy={confirm.isPending} busyLabel={t('totp.confirming')}>
            {t('totp.confirm')}
          </Button>
        </>
      }
    >
      <form
        id="totp-setup"
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() && !confirm.isPending) confirm.mutate();
        }}
      >
        <p className="text-body text-pretty" aria-hidden="true">
          {t('totp.scan')}
        </p>
        <QrCode text={uri} label={t('totp.qrCode')} />
        <div>
          <p className="text-caption text-pretty text-muted-foreground">{t('totp.secret')}</p>
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
            <code className="font-mono text-ui wrap-anywhere select-all">{groups(secret)}</code>
            <Button variant="outline" size="sm" onClick={() => void copy()}>
              <Copy className="icon-sm" aria-hidden="true" />
              {t('totp.copy')}
            </Button>
          </div>
        </div>
        <TextField
          ref={field}
          label={t('totp.code')}
          hint={t('totp.codeHint')}
          error={confirm.error instanceof ApiError ? confirm.error.fields.oneTimeCode : undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

/** Black on white in both themes: many cameras do not read the reverse. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: 3 }), [text]);
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className="mx-auto w-52 max-w-full rounded-md border"
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}

/** Four letters each are easier to type. Copied text has no spaces. */
const groups = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

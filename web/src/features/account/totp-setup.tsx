// Setting up an authenticator app: the secret as a QR code and as text, the first code of the app, and recovery codes for a member
// who has none left.
import { useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { encode } from 'uqr';
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import { recoveryCodesQuery } from '@/api/queries';
import type { TotpSecret, User } from '@/api/schema.gen';
import { totpQuery } from '@/api/totp';
import { whyRefused } from '@/features/auth/failure';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { Button } from '@/ui/button';
import { copyText } from '@/ui/copy-text';
import { Dialog } from '@/ui/dialog';
import { TextField } from '@/ui/field';
import { Loading } from '@/ui/skeleton';
import { toast } from '@/ui/toast';
import { CodeList, useNewCodes } from './code-generator';

interface TotpSetupProps {
  secret: TotpSecret;
  user: User;
  onClose: () => void;
}

export function TotpSetup({ secret: { secret, uri }, user, onClose }: TotpSetupProps) {
  const { t } = useTranslation(['settings', 'shell']);
  const queryClient = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  /** The app is set up, and the next step are recovery codes: without one, a member who loses the app cannot sign in. */
  const [needsCodes, setNeedsCodes] = useState(false);
  const codes = useNewCodes(user);
  const finish = () => {
    toast({ variant: 'success', title: t('totp.added'), description: t('totp.addedText') });
    onClose();
  };
  const confirm = useChange({
    mutationFn: async () => {
      await read(api.POST('/api/auth/totp/confirm', { body: { oneTimeCode: code } }));
      // Without an answer they are not replaced: there may be some.
      const left = await queryClient.fetchQuery({ ...recoveryCodesQuery, staleTime: 0 }).catch(() => null);
      return left?.remaining === 0;
    },
    failed: (error) =>
      error instanceof ApiError && error.fields.oneTimeCode ? null : whyRefused(error, t('totp.notChanged')),
    onSuccess: (hasNone) => {
      queryClient.setQueryData(totpQuery.queryKey, { confirmedAt: new Date().toISOString() });
      if (!hasNone) return finish();
      setNeedsCodes(true);
      codes.mutate();
    },
    onError: () => field.current?.focus(),
  });
  const copy = () =>
    copyText(secret, { title: t('totp.copied') }, { variant: 'destructive', title: t('totp.notCopied') });
  const close = () => {
    if (!needsCodes) onClose();
    // New codes are shown once: the member closes the dialog by saying that they are stored.
    else if (codes.isError) finish();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={t(needsCodes ? 'totp.codesTitle' : 'totp.setUpTitle')}
      description={t(needsCodes ? 'totp.codesText' : 'totp.scan')}
      footer={
        !needsCodes && (
          <>
            <Button variant="ghost" className="ml-auto" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" form="totp-setup" busy={confirm.isPending} busyLabel={t('totp.confirming')}>
              {t('totp.confirm')}
            </Button>
          </>
        )
      }
    >
      {needsCodes ? (
        <div className="pb-5">
          {codes.isError ? (
            <>
              <p className="mb-4 text-body text-pretty">{t('totp.codesFailed')}</p>
              <Button onClick={() => codes.mutate()}>{t('totp.makeCodes')}</Button>
            </>
          ) : (
            <>
              <p className="mb-3 text-body text-pretty" aria-hidden="true">
                {t('totp.codesText')}
              </p>
              {codes.data ? (
                <CodeList user={user} codes={codes.data.codes} mustBeStored onDone={finish} />
              ) : (
                <Loading bars={['h-40 w-full']} />
              )}
            </>
          )}
        </div>
      ) : (
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
              <Button variant="outline" size="sm" onClick={copy}>
                <Copy className="icon-sm" />
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
      )}
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

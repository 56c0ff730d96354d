// The dismissible offer of recovery codes on the home screen; it never appears later than the rest of the page.
import { useQuery } from '@tanstack/react-query';
import { KeyRound, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { recoveryCodesQuery } from '@/api/queries';
import type { User } from '@/api/schema.gen';
import { hasPasskeys } from '@/features/passkeys/support';
import { useTranslation } from '@/i18n/use-translation';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/button';
import { Card } from '@/ui/card';
import { IconButton } from '@/ui/icon-button';
import { CodeGenerator } from './code-generator';
import { rememberedOffer, rememberOffer } from './recovery-offer';

/**
 * The stored state of this browser, or a new registration, decides whether the card is drawn. The server's answer is
 * stored for the next visit, so that the card neither appears nor disappears while the member looks at it.
 */
export function RecoveryCard({ user }: { user: User }) {
  const [remembered] = useState(() => rememberedOffer(user.id) ?? (isNew(user) ? 'open' : null));
  const [closed, setClosed] = useState(false);
  const { data: codes } = useQuery({ ...recoveryCodesQuery, enabled: remembered !== 'done' });
  const made = codes ? codes.madeAt !== null : null;
  useEffect(() => {
    // Keeps a dismissal that happened while the request was running.
    if (made !== null && rememberedOffer(user.id) !== 'done') rememberOffer(user.id, made ? 'done' : 'open');
  }, [made, user.id]);

  if (remembered !== 'open' || closed) return null;
  const close = () => {
    rememberOffer(user.id, 'done');
    setClosed(true);
  };
  return <Offer user={user} made={made === true} onClose={close} />;
}

/** Registered today, with tolerance for a wrong clock: such a member has no codes yet. */
function isNew({ createdAt }: User): boolean {
  return Math.abs(Date.now() - Date.parse(createdAt)) < 86_400_000;
}

interface OfferProps {
  user: User;
  /** Codes exist: created here, or in another browser meanwhile. */
  made: boolean;
  onClose: () => void;
}

function Offer({ user, made, onClose }: OfferProps) {
  const { t } = useTranslation(['home', 'shell']);
  const [madeHere, setMadeHere] = useState(false);
  const madeElsewhere = made && !madeHere;
  return (
    <Card className="flex gap-3.5 p-4 md:px-5" aria-label={t('recovery.title')}>
      <KeyRound className="icon mt-0.5 text-gold-text max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <h2 className="text-subhead text-pretty">{t('recovery.title')}</h2>
        {/* Both states overlap in one grid cell, which is as high as the taller one. */}
        <div className="mt-0.5 mb-3 grid text-caption text-pretty text-muted-foreground *:col-start-1 *:row-start-1">
          <p className={madeElsewhere ? 'invisible' : ''}>{t('recovery.text')}</p>
          <p className={madeElsewhere ? '' : 'invisible'}>{t('recovery.made')}</p>
        </div>
        {madeElsewhere ? (
          <Link to={paths.settings} className={buttonClass({ variant: 'outline' })}>
            {t('shell:nav.settings')}
          </Link>
        ) : (
          <CodeGenerator
            user={user}
            label={t('recovery.make')}
            onMade={() => setMadeHere(true)}
            onDone={onClose}
          />
        )}
        {!madeHere && hasPasskeys() && (
          <p className="mt-3 text-caption text-pretty text-muted-foreground">
            {t('recovery.passkeyText')}{' '}
            <Link to={`${paths.settings}#passkeys`} state={{ focusField: true }} className="link font-medium">
              {t('recovery.passkey')}
            </Link>
          </p>
        )}
      </div>
      {/* Only Done closes displayed codes, so that a stray click does not lose them. */}
      {!madeHere && (
        <IconButton
          icon={X}
          glyph="icon-sm"
          size="sm"
          className="-mt-1 -mr-2"
          label={t('recovery.dismiss')}
          onClick={onClose}
        />
      )}
    </Card>
  );
}

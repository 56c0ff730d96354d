// Settings, Recovery codes: the number of unused codes, and creating eight new ones.
import { useQuery } from '@tanstack/react-query';
import { recoveryCodesQuery } from '@/api/queries';
import type { RecoveryCodesLeft, User } from '@/api/schema.gen';
import { formatDate } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';
import { ErrorPanel } from '@/ui/error-panel';
import { Loading } from '@/ui/skeleton';
import { CodeGenerator } from './code-generator';
import { SettingsSection } from './settings-section';

const codesInASet = 8;

export function RecoverySection({ user }: { user: User }) {
  const { t } = useTranslation('settings');
  const { data: codes, isPending, refetch } = useQuery(recoveryCodesQuery);
  return (
    <SettingsSection anchor="recovery" title={t('recovery.title')} about={t('recovery.about')}>
      {isPending ? (
        <Loading className="space-y-4" bars={['h-3.5 w-64 max-w-full', 'h-9 w-44']} />
      ) : codes ? (
        <>
          <Remaining codes={codes} />
          <CodeGenerator user={user} label={t(codes.madeAt ? 'recovery.renew' : 'recovery.make')} />
        </>
      ) : (
        <ErrorPanel onRetry={() => void refetch()}>{t('recovery.failed')}</ErrorPanel>
      )}
    </SettingsSection>
  );
}

function Remaining({ codes: { remaining, madeAt } }: { codes: RecoveryCodesLeft }) {
  const { t, i18n } = useTranslation('settings');
  const date = formatDate(i18n.language, madeAt, { dateStyle: 'long' });
  return (
    <p className="mb-4 text-ui">
      {date ? (
        <>
          <span className="font-semibold tabular-nums">
            {t('recovery.remaining', { count: remaining, all: codesInASet })}
          </span>{' '}
          <span className="text-muted-foreground">{t('recovery.madeAt', { date })}</span>
        </>
      ) : (
        t('recovery.none')
      )}
    </p>
  );
}

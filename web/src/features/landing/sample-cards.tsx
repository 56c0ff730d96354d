// Three invented cards beside the hero, from 1200 px: decoration, hidden from screen readers.
import { MessageCircle, ThumbsUp } from 'lucide-react';
import { useTranslation } from '@/i18n/use-translation';
import { Avatar } from '@/ui/avatar';
import { Badge } from '@/ui/badge';
import { buttonClass } from '@/ui/button';

// The ids select the avatar colours.
const amara = { id: 'f', fullName: 'Amara Okafor' };
const marco = { id: 'b', fullName: 'Marco Villanueva' };

export function SampleCards() {
  const { t } = useTranslation('landing');
  return (
    <div aria-hidden="true" className="hidden flex-col gap-4 self-center xl:flex">
      <div className="rounded-xl bg-card text-foreground shadow-dialog">
        <div className="flex items-start gap-3 px-5 pt-5">
          <Avatar user={amara} size={44} decorative />
          <div className="min-w-0">
            <p className="text-ui font-semibold">{amara.fullName}</p>
            <p className="truncate text-caption text-muted-foreground">{t('sample.clinic')}</p>
          </div>
        </div>
        <p className="px-5 py-4 text-body">{t('sample.post')}</p>
        <div className="flex items-center gap-5 border-t px-5 py-3 text-caption font-medium text-muted-foreground">
          <span className="flex items-center gap-1.5 font-semibold text-gold-text">
            <ThumbsUp className="icon-sm fill-gold/30" />
            {t('sample.like')}
          </span>
          <span className="flex items-center gap-1.5">
            <MessageCircle className="icon-sm" />
            {t('sample.comment')}
          </span>
          <span className="ml-auto text-micro">{t('sample.likes', { count: 132 })}</span>
        </div>
      </div>
      <div className="-ml-14 flex w-[22rem] items-center gap-3.5 rounded-xl bg-card p-4 text-foreground shadow-dialog">
        <span className="grid size-12 shrink-0 place-items-center rounded-md border font-serif text-[1.0625rem] font-semibold">
          HV
        </span>
        <div className="min-w-0 flex-1">
          <p className="text-ui font-semibold">{t('sample.job')}</p>
          <p className="text-caption text-muted-foreground">{t('sample.employer')}</p>
        </div>
        <Badge tone="green">{t('sample.offered')}</Badge>
      </div>
      <div className="flex w-[23rem] items-center gap-3.5 self-end rounded-xl bg-card p-4 text-foreground shadow-dialog">
        <Avatar user={marco} size={44} decorative />
        <div className="min-w-0 flex-1">
          <p className="text-ui font-semibold">{marco.fullName}</p>
          <p className="truncate text-caption text-muted-foreground">{t('sample.clerk')}</p>
        </div>
        <span className={buttonClass({ size: 'sm' })}>{t('sample.connect')}</span>
      </div>
    </div>
  );
}

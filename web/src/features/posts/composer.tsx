// The card that opens the composer.
import { useState } from 'react';
import type { User } from '@/api/schema.gen';
import { useEventDialog } from '@/features/events/use-event-dialog';
import { useTranslation } from '@/i18n/use-translation';
import { useKeptDraft } from '@/session/drafts';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { DraftMark } from '@/ui/draft-hint';
import { lazy } from '@/ui/lazy';
import { useStartRequest } from '@/ui/start-request';
import { catchTyping } from '@/ui/type-ahead';
import { type AttachmentKind, attachments } from './attachments';
import type { AudienceCommunity } from './audience';
import { type ComposerMode, placeOf, postDraft } from './post-draft';
import { Unsent } from './unsent';

const ComposerDialog = lazy(async () => (await import('./composer-dialog')).ComposerDialog);

interface ComposerProps {
  user: User;
  /** The community of the post; if absent, the member selects the audience. */
  community?: AudienceCommunity;
}

export function Composer({ user, community }: ComposerProps) {
  const { t } = useTranslation('posts');
  const [open, setOpen] = useState(false);
  // Stays mounted once opened, for the closing animation and to preserve an unfinished text.
  const [opened, setOpened] = useState(false);
  const [mode, setMode] = useState<ComposerMode>(null);
  const hasDraft = useKeptDraft(placeOf({ community }), postDraft) !== null;
  const announcing = useEventDialog();
  const start = (as: ComposerMode) => {
    catchTyping(() => setOpen(false));
    setMode(as);
    setOpened(true);
    setOpen(true);
  };
  useStartRequest('post', () => start(null));
  const announce = () => {
    setOpen(false);
    announcing.open();
  };
  const attach = (kind: AttachmentKind) => (kind === 'event' ? announce() : start(kind));

  return (
    <section className="card @container p-4 pb-2" aria-label={t('create')}>
      <div className="flex items-center gap-3">
        <Avatar user={user} size={44} decorative />
        <button
          type="button"
          aria-haspopup="dialog"
          className="flex h-11 min-w-0 flex-1 items-center gap-2 rounded-md border border-input/70 bg-card px-4 text-left text-body text-muted-foreground hover:bg-hover"
          onPointerEnter={() => void ComposerDialog.load()}
          onFocus={() => void ComposerDialog.load()}
          onClick={() => start(null)}
        >
          <span className="min-w-0 flex-1 truncate">{t('start')}</span>
          {hasDraft && !open && <DraftMark />}
        </button>
      </div>
      <div className="mt-2 flex flex-wrap justify-between max-[28rem]:-mx-2 @lg:justify-start @lg:gap-1 @lg:pl-14">
        {attachments.map(([kind, Icon]) => (
          <Button
            key={kind}
            variant="ghost"
            className="gap-0.5 px-0.5 text-[0.8125rem] min-[24rem]:gap-1.5 min-[26rem]:px-1 min-[28rem]:px-2 max-[22.4rem]:[&>svg]:hidden sm:gap-2 @lg:px-3"
            onClick={() => attach(kind)}
          >
            <Icon className="icon-sm" />
            {t(kind)}
          </Button>
        ))}
      </div>
      <Unsent communityId={community?.id} className="mt-2 border-t pt-3 pb-2" />
      {opened && (
        <ComposerDialog
          user={user}
          community={community}
          start={mode}
          open={open}
          onOpenChange={setOpen}
          onEvent={announce}
        />
      )}
      {announcing.dialog}
    </section>
  );
}

// Mutes the author of a post or the member of a profile, the community of the post, or a word.
import { useId, useState } from 'react';
import type { Post } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextField } from '@/ui/field';
import { type Duration, DurationChoice } from './duration-choice';
import { useMute } from './use-muting';

type Target = 'member' | 'community' | 'word';

interface MuteDialogProps {
  /** Of a profile, only its member. */
  post: Pick<Post, 'user' | 'community'>;
  open: boolean;
  onClose: () => void;
}

export function MuteDialog({ post: { user, community }, open, onClose }: MuteDialogProps) {
  const { t } = useTranslation('feeds');
  const [target, setTarget] = useState<Target>('member');
  const [word, setWord] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [duration, setDuration] = useState<Duration>('forever');
  const mute = useMute(onClose);
  const name = useId();
  const submit = () => {
    if (target === 'word') {
      if (!word.trim()) return setMissing(true);
      return mute.mutate({ kind: 'word', word: word.trim(), duration });
    }
    const targetId = target === 'community' ? community?.id : user.id;
    return mute.mutate({ kind: target, targetId, duration });
  };
  const targets: [Target, string][] = [
    ['member', t('muteMember', { name: user.fullName })],
    ...(community ? [['community', t('muteCommunity', { name: community.name })] as [Target, string]] : []),
    ['word', t('muteWord')],
  ];
  return (
    <Dialog
      open={open}
      onOpenChange={() => !mute.isPending && onClose()}
      title={t('muteTitle')}
      footer={
        <Button className="ml-auto" busy={mute.isPending} busyLabel={t('muting')} onClick={submit}>
          {t('muteAction')}
        </Button>
      }
    >
      <fieldset className="space-y-1">
        <legend className="text-ui font-semibold">{t('muteWhat')}</legend>
        {targets.map(([value, label]) => (
          <label key={value} className="flex min-h-8 cursor-pointer items-center gap-3 text-body">
            <input
              type="radio"
              name={name}
              checked={value === target}
              onChange={() => setTarget(value)}
              className="size-4 accent-primary"
            />
            <span className="min-w-0 wrap-anywhere">{label}</span>
          </label>
        ))}
      </fieldset>
      {target === 'word' && (
        <TextField
          label={t('word')}
          fieldClassName="mt-3"
          maxLength={50}
          value={word}
          error={isMissing && !word.trim() ? t('emptyWord') : undefined}
          onChange={(event) => setWord(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && submit()}
        />
      )}
      <p className="mt-4 mb-1.5 text-ui font-semibold">{t('duration')}</p>
      <DurationChoice value={duration} onChange={setDuration} />
      <p className="mt-4 pb-1 text-caption text-pretty text-muted-foreground">{t('mutePlaces')}</p>
    </Dialog>
  );
}

// The menu of another member's profile: the items of the person menu, and muting.
import { VolumeX } from 'lucide-react';
import type { Author } from '@/api/schema.gen';
import { PersonMenu } from '@/features/network/person-menu';
import { useTranslation } from '@/i18n/use-translation';
import { lazy } from '@/ui/lazy';
import { useDialog } from '@/ui/use-dialog';

const MuteDialog = lazy(async () => (await import('./mute-dialog')).MuteDialog);

/** Needs the texts of `feeds` and `network`. */
export function ProfileMenu({ person }: { person: Author }) {
  const { t } = useTranslation('feeds');
  const muting = useDialog(MuteDialog, { post: { user: person, community: null } });
  return (
    <>
      <PersonMenu
        person={person}
        actions={[{ icon: VolumeX, label: t('mute'), act: muting.open }]}
        className="btn-outline"
      />
      {muting.dialog}
    </>
  );
}

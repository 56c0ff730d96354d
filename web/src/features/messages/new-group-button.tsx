// The button above the list that opens 'New group', whose code loads on first use.
import { UsersRound } from 'lucide-react';

import type { User } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { Button } from '@/ui/button';
import { lazy } from '@/ui/lazy';
import { useStartRequest } from '@/ui/start-request';
import { useOpening } from '@/ui/use-opening';

const NewGroupDialog = lazy(async () => (await import('./new-group-dialog')).NewGroupDialog);

export function NewGroupButton({ me }: { me: User }) {
  const { t } = useTranslation('messages');
  const { nr, isOpen, open, close } = useOpening();
  useStartRequest('group', open);
  return (
    <>
      <Button variant="ghost" size="sm" className="-mr-2 ml-auto" onClick={open}>
        <UsersRound className="icon-sm" aria-hidden="true" />
        {t('newGroup')}
      </Button>
      {nr > 0 && <NewGroupDialog key={nr} me={me} open={isOpen} onClose={close} />}
    </>
  );
}

// The text of a system line: a change of a group, with the names of the members.
import type { Message, OtherUser, SystemLine } from '@/api/schema.gen';
import { listOf } from '@/i18n/format';
import { useTranslation } from '@/i18n/use-translation';

type Actor = Message['sender'];

export function useSystemLine(me: string | undefined): (line: SystemLine, actor: Actor) => string {
  const { t, i18n } = useTranslation('messages');
  const nameOf = ({ id, fullName }: OtherUser) => (id === null ? t('former') : fullName);
  return ({ kind, members }, actor) => {
    const own = actor?.id !== null && actor?.id === me;
    const names = listOf(
      i18n.language,
      members.map((member) => (member.id === me && me ? t('lineYou') : nameOf(member))),
    );
    const values = { name: actor ? nameOf(actor) : t('former'), names };
    return t(`line.${kind}.${own ? 'own' : 'other'}`, values);
  };
}

// Chooses several members, from the member's conversations or by name.
import { X } from 'lucide-react';
import type { Author, User } from '@/api/schema.gen';
import { PartnerField, PartnerResults, usePartners } from '@/features/network/partners';
import { useTranslation } from '@/i18n/use-translation';
import { PersonLabel } from './person-label';

interface MemberPickerProps {
  me: User;
  chosen: readonly Author[];
  onChange: (chosen: Author[]) => void;
  /** Members who cannot be chosen. */
  without?: ReadonlySet<string>;
  /** The maximum number of chosen members. */
  most: number;
  /** Says that no more can be chosen; by default, that the group is full. */
  full?: string;
  /** Says that too few are chosen. */
  error?: string;
}

export function MemberPicker({ me, chosen, onChange, without, most, full, error }: MemberPickerProps) {
  const { t } = useTranslation('messages');
  const search = usePartners(me);
  const shown = search.partners.map(({ person }) => person).filter(({ id }) => !without?.has(id));
  const isChosen = (id: string) => chosen.some((one) => one.id === id);
  const remove = (id: string) => onChange(chosen.filter((one) => one.id !== id));
  return (
    <div className="space-y-3">
      <PartnerField search={search} label={t('findMembers')} error={error} />
      {chosen.length > 0 && (
        <ul aria-label={t('chosenMembers')} className="flex max-h-28 flex-wrap gap-1.5 overflow-y-auto">
          {chosen.map((person) => (
            <li
              key={person.id}
              className="flex max-w-full items-center rounded-full bg-muted pl-3 text-caption"
            >
              <bdi className="truncate">{person.fullName}</bdi>
              <button
                type="button"
                aria-label={t('removeChosen', { name: person.fullName })}
                className="grid size-8 shrink-0 place-content-center rounded-full hover:bg-hover"
                onClick={() => remove(person.id)}
              >
                <X className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <PartnerResults
        search={search}
        failed={t('membersFailed')}
        noMatch={t('noMembersFound')}
        none={t('noPartners')}
      >
        {shown.length > 0 && (
          <fieldset className="min-w-0 divide-y">
            <legend className="sr-only">{t('membersFound')}</legend>
            {shown.map((person) => {
              const checked = isChosen(person.id);
              const isFull = !checked && chosen.length >= most;
              return (
                <label key={person.id} className="flex cursor-pointer items-center gap-3 py-2.5">
                  <PersonLabel person={person} />
                  <input
                    type="checkbox"
                    className="checkbox size-6"
                    checked={checked}
                    disabled={isFull}
                    onChange={() => (checked ? remove(person.id) : onChange([...chosen, person]))}
                  />
                </label>
              );
            })}
          </fieldset>
        )}
      </PartnerResults>
      {chosen.length >= most && (
        <p role="status" className="text-caption text-muted-foreground">
          {full ?? t('groupFull')}
        </p>
      )}
    </div>
  );
}

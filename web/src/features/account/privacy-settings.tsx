// The privacy settings: who sees the profile, who may write, and what others learn.
import { useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api, read } from '@/api/client';
import { privacySettingsQuery } from '@/api/queries';
import type { PrivacySettings, User } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useChange } from '@/session/use-change';
import { ErrorPanel } from '@/ui/error-panel';
import { Bars, Loading, Skeleton } from '@/ui/skeleton';
import { Switch } from '@/ui/switch';
import { SettingsSection } from './settings-section';

const profileAudiences = ['public', 'members', 'connections'] as const;
const messageAudiences = ['everyone', 'connections', 'replies-only'] as const;

export function PrivacySettingsForm({ user }: { user: User }) {
  const { t } = useTranslation('settings');
  const { settings, isPending, refetch, change } = usePrivacy(user);
  if (!settings && !isPending)
    return <ErrorPanel onRetry={() => void refetch()}>{t('privacy.failed')}</ErrorPanel>;
  return (
    <div className="space-y-8">
      <SettingsSection title={t('privacy.profile.title')} about={t('privacy.profile.about')}>
        {settings ? <ProfileChoices settings={settings} onChange={change} /> : <ChoiceSkeletons />}
      </SettingsSection>
      <SettingsSection title={t('privacy.messages.title')} about={t('privacy.messages.about')}>
        {settings ? <MessageChoices settings={settings} onChange={change} /> : <ChoiceSkeletons />}
      </SettingsSection>
    </div>
  );
}

interface ChoicesProps {
  settings: PrivacySettings;
  onChange: (changes: Partial<PrivacySettings>) => void;
}

function ProfileChoices({ settings, onChange }: ChoicesProps) {
  const { t } = useTranslation('settings');
  return (
    <>
      <AudienceChoice
        legend={t('privacy.profile.legend')}
        options={profileAudiences.map((value) => ({
          value,
          label: t(`privacy.profile.${value}`),
          hint: t(`privacy.profile.${value}Hint`),
        }))}
        value={settings.profileAudience}
        onChange={(profileAudience) => onChange({ profileAudience })}
      />
      <div className="-mb-3 divide-y border-t">
        <Switch
          label={t('privacy.profile.searchEngines')}
          hint={t('privacy.profile.searchEnginesHint')}
          checked={settings.searchEngines}
          onChange={(searchEngines) => onChange({ searchEngines })}
        />
        <Switch
          label={t('privacy.profile.activityShown')}
          hint={t('privacy.profile.activityShownHint')}
          checked={settings.activityShown}
          onChange={(activityShown) => onChange({ activityShown })}
        />
      </div>
    </>
  );
}

function MessageChoices({ settings, onChange }: ChoicesProps) {
  const { t } = useTranslation('settings');
  return (
    <>
      <AudienceChoice
        legend={t('privacy.messages.legend')}
        options={messageAudiences.map((value) => ({
          value,
          label: t(`privacy.messages.${value}`),
          hint: t(`privacy.messages.${value}Hint`),
        }))}
        value={settings.messageAudience}
        onChange={(messageAudience) => onChange({ messageAudience })}
      />
      <div className="-mb-3 border-t">
        <Switch
          label={t('privacy.messages.readReceipts')}
          hint={t('privacy.messages.readReceiptsHint')}
          checked={settings.readReceipts}
          onChange={(readReceipts) => onChange({ readReceipts })}
        />
      </div>
    </>
  );
}

function ChoiceSkeletons() {
  return (
    <Loading>
      <Skeleton className="h-4 w-48" />
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex items-start gap-3 py-3.5">
          <Skeleton className="size-[1.125rem] rounded-full!" />
          <Bars className="min-w-0 flex-1 space-y-2" of={['h-3.5 w-28', 'h-3 w-72 max-w-full']} />
        </div>
      ))}
    </Loading>
  );
}

const changing = ['change privacy settings'];

/** Pending changes are shown optimistically and disappear on failure. */
function usePrivacy({ id }: User) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const query = privacySettingsQuery(id);
  const { data, isPending, refetch } = useQuery(query);
  const { mutate } = useChange({
    mutationKey: changing,
    // Serial, so that the last change of the member is applied last.
    scope: { id: 'privacy settings' },
    mutationFn: (changes: Partial<PrivacySettings>) =>
      read(api.PATCH('/api/users/{id}/privacy', { params: { path: { id } }, body: changes })),
    failed: ({ message }) => t('privacy.changeFailed', { message }),
    onSuccess: (changed) => queryClient.setQueryData(query.queryKey, changed),
  });
  const wanted = useMutationState({
    filters: { mutationKey: changing, status: 'pending' },
    select: ({ state }) => state.variables as Partial<PrivacySettings>,
  });
  const settings: PrivacySettings | undefined = data && Object.assign({}, data, ...wanted);
  return { settings, isPending, refetch, change: mutate };
}

interface AudienceChoiceProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: string; hint: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Radio buttons with a sentence each: who may do something. */
function AudienceChoice<Value extends string>({
  legend,
  options,
  value,
  onChange,
}: AudienceChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="text-ui font-semibold">{legend}</legend>
      <div className="mt-1 divide-y">
        {options.map((option) => (
          <div key={option.value} className="relative flex items-start gap-3 py-3">
            <input
              id={`${id}-${option.value}`}
              type="radio"
              name={id}
              className="relative z-1 mt-0.5 size-[1.125rem] shrink-0 cursor-pointer accent-(--primary)"
              checked={option.value === value}
              aria-describedby={`${id}-${option.value}-hint`}
              onChange={() => onChange(option.value)}
            />
            <div className="min-w-0">
              {/* The label covers the whole row as click target. */}
              <label
                htmlFor={`${id}-${option.value}`}
                className="text-ui font-medium after:absolute after:inset-0 after:cursor-pointer"
              >
                {option.label}
              </label>
              <p id={`${id}-${option.value}-hint`} className="text-caption text-pretty text-muted-foreground">
                {option.hint}
              </p>
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

// Saves the form and lets everything that shows the member know (specification, sections 7 to 9).
import { useQueryClient } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { eventsQuery, profileQuery } from '@/api/queries';
import type { ProfileView } from '@/api/types';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';
import type { ProfileForm } from './form';
import { saveProfile, saveUser } from './save';

/** The longest photo sent as it is, in characters of its data URL. */
const photoAtMost = 500_000;

/** Throws `SaveError`. What the first call saved is shown even when the second is refused. */
export function useSave({ user }: ProfileView, form: UseFormReturn<ProfileForm>) {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const { update } = useAuth();
  const { queryKey } = profileQuery(user.id);

  /** The photo as it may be sent; null when it is too large and cannot be made smaller. */
  const photoToSend = async (address: string) => {
    if (address.length <= photoAtMost) return address;
    try {
      const { smallPhoto } = await import('./picture');
      return await smallPhoto(address);
    } catch {
      return null;
    }
  };

  return async (values: ProfileForm) => {
    const photo = await photoToSend(values.avatarUrl);
    if (photo === null) {
      form.setValue('avatarUrl', '');
      toast({ title: t('photo.tooLarge'), description: t('photo.tooLargeText'), variant: 'destructive' });
    }

    const saved = await saveUser(user, { ...values, avatarUrl: photo ?? '' });
    // From now on it is this address that is the present one.
    form.setValue('avatarUrl', saved.avatarUrl ?? '');
    update(saved);
    queryClient.setQueryData(queryKey, (view) => view && { ...view, user: saved });

    const view = await saveProfile(user.id, values);
    update(view.user);
    // The answer carries no stats: those of the last read stay.
    queryClient.setQueryData(queryKey, (last) => ({ ...last, ...view }));
    // Name, headline and photo stand in these lists too.
    void queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
    void queryClient.invalidateQueries(eventsQuery);
    // One toast at a time: that the photo fell away must not be hidden by the good news.
    if (photo !== null) toast({ title: t('saved'), description: t('savedText'), variant: 'success' });
  };
}

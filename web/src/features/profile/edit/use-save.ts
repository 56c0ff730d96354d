// Saves the form and updates the cache (specification, sections 7 to 9).
import { useQueryClient } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { eventsQuery, profileQuery } from '@/api/queries';
import type { ProfileView } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { useAuth } from '@/session/auth';
import { toast } from '@/ui/toast';
import type { ProfileForm } from './form';
import { saveProfile, saveUser } from './save';

/** The maximum length of a photo that is sent unchanged, in characters of its data URL. */
const photoAtMost = 500_000;

/** Throws `SaveError`. The result of the first request is shown even if the second is refused. */
export function useSave({ user }: ProfileView, form: UseFormReturn<ProfileForm>) {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const { update } = useAuth();
  const { queryKey } = profileQuery(user.id);

  /** The photo to send; null if it is too large and cannot be made smaller. */
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
    // This address is now the current picture.
    form.setValue('avatarUrl', saved.avatarUrl ?? '');
    update(saved);
    queryClient.setQueryData(queryKey, (view) => view && { ...view, user: saved });

    const view = await saveProfile(user.id, values);
    update(view.user);
    // The response has no stats: the cached ones stay.
    queryClient.setQueryData(queryKey, (last) => ({ ...last, ...view }));
    // These lists contain name, headline and photo.
    void queryClient.invalidateQueries({ queryKey: ['/api/posts'] });
    void queryClient.invalidateQueries(eventsQuery);
    // Only one toast is shown at a time: the error about the photo takes precedence over the success.
    if (photo !== null) toast({ title: t('saved'), description: t('savedText'), variant: 'success' });
  };
}

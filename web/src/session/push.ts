// The push subscription of this browser. The server deletes it with the session; the browser drops it when the member leaves, so that
// the next person here gets nothing.
import { deviceKey, writeDevice } from './device-store';

const name = 'push';

/** Notes that this browser is subscribed for a member. */
export const noteSubscribed = (member: string, is: boolean): void =>
  writeDevice(deviceKey(member, name), is ? '1' : null);

/** Ends the subscription of this browser, if it has one, and closes what it shows. */
export async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
  void navigator.clearAppBadge?.()?.catch(() => undefined);
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

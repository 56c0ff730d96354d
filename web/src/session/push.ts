// The push subscription of this browser. The server deletes it with the session; the browser drops it when the member leaves, so that
// the next person here gets nothing.
import { deviceKey, deviceKeys, readDevice, writeDevice } from './device-store';

const name = 'push';

/** Notes that this browser is subscribed for a member. */
export const noteSubscribed = (member: string, is: boolean): void =>
  writeDevice(deviceKey(member, name), is ? '1' : null);

/** Ends the subscription of this browser, if it has one. */
export async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/** Ends the subscription of a member whose session expired here before `member` signed in. */
export async function endPushOfOthers(member: string): Promise<void> {
  const own = deviceKey(member, name);
  const others = deviceKeys().filter((key) => key.endsWith(`:${name}`) && key !== own && readDevice(key));
  if (others.length === 0) return;
  await endPush();
  for (const key of [...others, own]) writeDevice(key, null);
}

// Opens the panel of the More button in a member's header. The bottom bar of a phone has a More button of its own.
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

export async function openHeaderMore(user: UserEvent) {
  await user.click(await within(screen.getByRole('banner')).findByRole('button', { name: 'More' }));
  return within(await screen.findByRole('dialog', { name: 'More' }));
}

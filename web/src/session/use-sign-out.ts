// Signs out: on the server first, then home as a visitor; a failure is only logged (specification, section 8).
import { api, read } from '@/api/client';
import { useLeaveBrowser } from './use-leave-browser';

export function useSignOut(): () => Promise<void> {
  const leave = useLeaveBrowser();
  return async () => {
    try {
      await read(api.POST('/api/auth/logout', { body: {} }));
      leave();
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: required by the specification.
      console.error(error);
    }
  };
}

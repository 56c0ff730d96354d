// Who is signed in: the auth context, its provider and its hook (specification, section 4, Session).
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { api, read } from '@/api/client';
import { sessionQuery } from '@/api/queries';
import type { Credentials, Registration, User } from '@/api/types';
import { paths } from '@/paths';

interface Auth {
  /** Signed in when present; null for a visitor and while the session is not resolved. */
  user: User | null;
  /** True until the first session check has answered. */
  isLoading: boolean;
  /** Signs in and goes home; rejects with the call's error. */
  signIn: (credentials: Credentials) => Promise<void>;
  /** Registers, is signed in by it, and goes home; rejects with the call's error. */
  register: (form: Registration) => Promise<void>;
  /** Signs out and goes home; a failure is only logged. */
  signOut: () => Promise<void>;
}

const AuthContext = createContext<Auth | null>(null);

export function AuthProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // A failed check leaves `data` undefined, which counts as signed out.
  const { data, isPending } = useQuery(sessionQuery);

  const auth = useMemo<Auth>(() => {
    /** Another person is looking now: nothing the last one could read stays. */
    const become = (user: User | null) => {
      queryClient.setQueryData(sessionQuery.queryKey, user);
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    };
    const enter = (user: User) => {
      become(user);
      void navigate(paths.home);
    };
    return {
      user: data ?? null,
      isLoading: isPending,
      signIn: async (credentials) => enter(await read(api.POST('/api/auth/login', { body: credentials }))),
      register: async (form) => enter(await read(api.POST('/api/auth/register', { body: form }))),
      signOut: async () => {
        try {
          await read(api.POST('/api/auth/logout', { body: {} }));
        } catch (error) {
          // biome-ignore lint/suspicious/noConsole: the specification has a failed logout logged and nothing more.
          console.error(error);
          return;
        }
        // First the way out, then the loss of the user: the other order sends a protected screen to /auth.
        void navigate(paths.home);
        become(null);
      },
    };
  }, [data, isPending, queryClient, navigate]);

  return <AuthContext value={auth}>{children}</AuthContext>;
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

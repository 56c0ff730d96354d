// Who is signed in: the auth context, its provider and its hook (specification, section 4, Session).
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { forgetPreloaded } from '@/api/preloaded';
import { sessionQuery } from '@/api/session';
import type { User } from '@/api/types';
import { paths } from '@/paths';

interface Auth {
  /** Signed in when present; null for a visitor and while the session is not resolved. */
  user: User | null;
  /** True until the first session check has answered. */
  isLoading: boolean;
  /** Signed out a moment ago and on the way home: a protected screen waits instead of sending the visitor to /auth. */
  isLeaving: boolean;
  /** The server has signed this member in. */
  enter: (user: User) => void;
  /** The server has signed the member out: go home. */
  leave: () => void;
  /** The server has ended the session: a visitor from now on, who stays on this screen. */
  end: () => void;
  /** The member's own record has changed. */
  update: (user: User) => void;
}

const AuthContext = createContext<Auth | null>(null);

export function AuthProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  // A failed check leaves `data` undefined, which counts as signed out.
  const { data, isPending } = useQuery(sessionQuery);
  const [left, setLeft] = useState<string | null>(null);
  // Once the address has changed, the way out is done.
  if (left !== null && left !== pathname) setLeft(null);

  const auth = useMemo<Auth>(() => {
    const update = (user: User | null) => queryClient.setQueryData(sessionQuery.queryKey, user);
    /** Another person is looking now: nothing the last one could read stays. */
    const become = (user: User | null) => {
      forgetPreloaded();
      update(user);
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    };
    return {
      user: data ?? null,
      isLoading: isPending,
      isLeaving: left === pathname,
      enter: become,
      leave: () => {
        setLeft(pathname);
        void navigate(paths.home);
        become(null);
      },
      end: () => become(null),
      update,
    };
  }, [data, isPending, left, pathname, queryClient, navigate]);

  return <AuthContext value={auth}>{children}</AuthContext>;
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

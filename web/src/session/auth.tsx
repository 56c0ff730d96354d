// The auth context with the signed-in member, its provider and its hook (specification, section 4, Session).
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, Fragment, type ReactNode, use, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { cacheOwner, changeCacheOwner, provideSessionEnd } from '@/api/cache-owner';
import { clearPreloads } from '@/api/preload-cache';
import type { User } from '@/api/schema.gen';
import type { Me } from '@/api/session';
import { sessionQuery } from '@/api/session';
import { paths } from '@/paths';

interface Auth {
  /** The signed-in member; null for a visitor and while the session is not resolved. */
  user: Me | null;
  /** True until the first session query has finished. */
  isLoading: boolean;
  /** Signed out and on the way home: a protected screen waits instead of redirecting to /auth. */
  isLeaving: boolean;
  /** The session of this client's last member has ended without a sign-out. */
  hasEnded: boolean;
  /** Call after the server has signed this member in. */
  enter: (user: Me) => void;
  /** Call after the server has signed the member out: goes home. */
  leave: () => void;
  /** Call after the session has ended: the viewer becomes a visitor and stays on the screen. */
  end: () => void;
  /** Call after the member's own record has changed. */
  update: (user: User) => void;
}

provideSessionEnd(() => import('./session-end'));

const AuthContext = createContext<Auth | null>(null);

export function AuthProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  // A failed session query leaves `data` undefined, which counts as signed out.
  const { data, isPending } = useQuery(sessionQuery);
  const [left, setLeft] = useState<string | null>(null);
  const [hasEnded, setHasEnded] = useState(false);
  const generation = useGeneration(data?.id);
  // The navigation home has finished.
  if (left !== null && left !== pathname) setLeft(null);

  const auth = useMemo<Auth>(() => {
    const update = (user: Me | null) => queryClient.setQueryData(sessionQuery.queryKey, user);
    /** Changes the viewer and removes all data that the previous viewer could read. */
    const become = async (user: Me | null) => {
      clearPreloads();
      const memberId = user?.id ?? null;
      // A check of the session that found its end has forgotten the member already.
      const forgotten = (memberId ?? cacheOwner.memberId) && changeCacheOwner(memberId);
      // Nothing is shown to a member while something of another one is stored.
      if (user) await forgotten;
      setHasEnded(false);
      update(user);
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    };
    return {
      user: data ?? null,
      isLoading: isPending,
      isLeaving: left === pathname,
      hasEnded,
      enter: (user) => void become(user),
      leave: () => {
        setLeft(pathname);
        void navigate(paths.home);
        void become(null);
      },
      end: () => {
        void become(null);
        setHasEnded(true);
      },
      // The record of a member does not contain the roles.
      update: (user) =>
        update({
          ...user,
          ...(data?.moderator && { moderator: true }),
          ...(data?.stewardOf && { stewardOf: data.stewardOf }),
        }),
    };
  }, [data, isPending, left, hasEnded, pathname, queryClient, navigate]);

  return (
    <AuthContext value={auth}>
      <Fragment key={generation}>{children}</Fragment>
    </AuthContext>
  );
}

/** Increases when another member replaces the member: the screens then start again, without the input of the former one. */
function useGeneration(memberId: string | undefined): number {
  const [seen, setSeen] = useState({ memberId, generation: 0 });
  if (seen.memberId !== memberId) {
    const isReplaced = seen.memberId !== undefined && memberId !== undefined;
    setSeen({ memberId, generation: seen.generation + (isReplaced ? 1 : 0) });
  }
  return seen.generation;
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

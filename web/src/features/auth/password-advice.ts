// The server's advice on a password that is being typed. Only three digits of its hash leave the browser: every 4,096th password
// has the same.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, read } from '@/api/client';
import { limits } from '@/api/limits.gen';
import { canonical, isGuessable } from './guessable';

const { min: minLength, max: maxLength } = limits.RegisterRequest.password;
/** The digits of a hash that are sent. */
const prefixLength = 3;
/** The digits of a hash on the server's list. */
const hashLength = 10;
/** Wait for this pause in typing, in milliseconds. */
const pause = 400;

/** The policy, and the common passwords whose hash begins with the prefix. */
const adviceQuery = (hashPrefix: string) =>
  queryOptions({
    queryKey: ['/api/auth/check-password', hashPrefix],
    queryFn: () => read(api.POST('/api/auth/check-password', { body: { hashPrefix } })),
    // Without an answer there is no advice, and the server decides.
    retry: false,
  });

/** The first digits of the SHA-256; null where the browser cannot hash, as on pages without https. */
export async function hashOf(password: string): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(password)));
  const digits = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.slice(0, hashLength);
}

interface PasswordAdvice {
  /** The minimum length of the operator's policy. */
  minLength: number;
  /** The server will refuse it as guessable. */
  guessable: boolean;
}

export function usePasswordAdvice(password: string, username: string): PasswordAdvice {
  const length = [...password].length;
  const byRule = length >= minLength && isGuessable(password, username);
  const asks = length >= minLength && length <= maxLength && !byRule;
  const [hashed, setHashed] = useState<{ password: string; hash: string } | null>(null);

  useEffect(() => {
    if (!asks) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const hash = await hashOf(password);
      if (isCurrent && hash) setHashed({ password, hash });
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asks, password]);

  const hash = asks && hashed?.password === password ? hashed.hash : null;
  const policy = useQuery({ ...adviceQuery(''), enabled: password !== '' });
  const bucket = useQuery({ ...adviceQuery(hash?.slice(0, prefixLength) ?? ''), enabled: hash !== null });
  const isCommon = hash !== null && bucket.data?.hashSuffixes.includes(hash.slice(prefixLength));
  return { minLength: policy.data?.minLength ?? minLength, guessable: byRule || isCommon === true };
}

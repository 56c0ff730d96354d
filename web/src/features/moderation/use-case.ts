// The chosen tab, filters and item of the moderation screen, in the address.
import { useSearchParams } from 'react-router';

export function useCase() {
  const [params, setParams] = useSearchParams();
  /** The address with these changes; null removes a parameter. */
  const search = (changes: Record<string, string | null>): string => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    return `?${next}`;
  };
  return {
    get: (name: string) => params.get(name),
    search,
    change: (changes: Record<string, string | null>) => setParams(search(changes), { replace: true }),
  };
}

// Filters in the address, so that a filtered list can be linked to and restored by Back.
import { useSearchParams } from 'react-router';

/**
 * `choices` names each filter with its allowed values; null allows any text. An invalid value counts as not set, and the
 * result contains only filters that are set. A change to '' removes a filter.
 */
export function useFilters<Filters extends object>(
  choices: Record<keyof Filters & string, readonly string[] | null>,
) {
  const [address, setAddress] = useSearchParams();
  const filters = Object.fromEntries(
    Object.entries<readonly string[] | null>(choices).flatMap(([name, values]) => {
      const value = address.get(name);
      return value && (values?.includes(value) ?? true) ? [[name, value]] : [];
    }),
  ) as Filters;
  const change = (changed: { [Name in keyof Filters]?: string }) => {
    const all = Object.entries<string | undefined>({ ...filters, ...changed });
    const set = all.filter((entry): entry is [string, string] => Boolean(entry[1]));
    setAddress(Object.fromEntries(set), { replace: true });
  };
  return [filters, change] as const;
}

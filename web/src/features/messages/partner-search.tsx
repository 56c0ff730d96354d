// The parts of a search for members to write to: its field, and what it found.
import type { ReactNode } from 'react';
import { queryLimits } from '@/api/query-limits.gen';
import { ErrorPanel } from '@/ui/error-panel';
import { TextField } from '@/ui/field';
import { Loading, Skeleton } from '@/ui/skeleton';
import type { PartnerSearch } from './partners';

export function PartnerField({ search, label }: { search: PartnerSearch; label: string }) {
  return (
    <TextField
      label={label}
      type="search"
      autoComplete="off"
      maxLength={queryLimits.listConversations.search.max}
      value={search.typed}
      onChange={({ target }) => search.setTyped(target.value)}
    />
  );
}

interface PartnerResultsProps {
  search: PartnerSearch;
  /** Says that the search failed. */
  failed: string;
  /** Says that no member has the typed name. */
  noMatch: string;
  /** Says that there is no member without a name. */
  none: string;
  /** The list of members; null if it is empty. */
  children: ReactNode;
}

export function PartnerResults({ search, failed, noMatch, none, children }: PartnerResultsProps) {
  if (search.isPending)
    return (
      <Loading className="space-y-3">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-11" />
        ))}
      </Loading>
    );
  if (children) return children;
  if (search.failed) return <ErrorPanel onRetry={search.retry}>{failed}</ErrorPanel>;
  return (
    <p role="status" className="py-4 text-center text-ui text-muted-foreground">
      {search.typed.trim() ? noMatch : none}
    </p>
  );
}

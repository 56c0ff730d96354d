// The posts that were hidden on this page: their place in the lists shows a notice with Undo until the lists are read again.
import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query';

/** By post: whether the member is not interested in it. */
type HideNotices = Readonly<Record<string, boolean>>;

export const hideNoticesQuery = queryOptions<HideNotices>({
  queryKey: ['hide notices'],
  queryFn: skipToken,
  initialData: {},
});

/** Null shows the post again. */
export function setHideNotice(queryClient: QueryClient, id: string, notInterested: boolean | null): void {
  queryClient.setQueryData(hideNoticesQuery.queryKey, (hidden = {}) => {
    const { [id]: _, ...others } = hidden;
    return notInterested === null ? others : { ...others, [id]: notInterested };
  });
}

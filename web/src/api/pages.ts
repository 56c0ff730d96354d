// Updates paginated lists in the cache without refetching them.
import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from './client';

type Pages<Item> = InfiniteData<Page<Item>>;
export function mapItems<Item>(
  list: Pages<Item> | undefined,
  change: (item: Item) => Item,
): Pages<Item> | undefined {
  return list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
}
export function itemsOf<Item>(list: Pages<Item> | undefined): Item[] {
  return list?.pages.flatMap(({ items }) => items) ?? [];
}

/** Removes the items that `keep` rejects, and reduces the total. */
export function keepItems<Item>(
  list: Pages<Item> | undefined,
  keep: (item: Item) => boolean,
): Pages<Item> | undefined {
  if (!list) return list;
  const gone = itemsOf(list).filter((item) => !keep(item)).length;
  const pages = list.pages.map((page) => ({
    ...page,
    items: page.items.filter(keep),
    total: page.total === null ? null : Math.max(0, page.total - gone),
  }));
  return { ...list, pages };
}

/** The length of the whole list: the reported total, else the number of loaded items. */
export function totalOf<Item>(list: Pages<Item> | undefined): number | undefined {
  return list && (list.pages[0]?.total ?? itemsOf(list).length);
}

/** The items of a page; undefined if it is empty because a service did not respond. */
export function knownItems<Item>(page: Page<Item> | undefined): Item[] | undefined {
  return page && (page.items.length > 0 || !page.degraded) ? page.items : undefined;
}

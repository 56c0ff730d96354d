// Lists that came page by page, changed in the cache without fetching them anew.
import type { InfiniteData } from '@tanstack/react-query';
import type { Page } from './client';

type Pages<Item> = InfiniteData<Page<Item>>;

/** The same list with every item as `change` leaves it. */
export function mapItems<Item>(
  list: Pages<Item> | undefined,
  change: (item: Item) => Item,
): Pages<Item> | undefined {
  return list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
}

/** Every item of the pages that have come. */
export function itemsOf<Item>(list: Pages<Item> | undefined): Item[] {
  return list?.pages.flatMap(({ items }) => items) ?? [];
}

/** The same list without the items that `keep` refuses; the total follows. */
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

/** How long the whole list is: the kept total, else what has come of it. */
export function totalOf<Item>(list: Pages<Item> | undefined): number | undefined {
  return list && (list.pages[0]?.total ?? itemsOf(list).length);
}

/** What a page holds; undefined where it is empty only because a service did not answer. */
export function knownItems<Item>(page: Page<Item> | undefined): Item[] | undefined {
  return page && (page.items.length > 0 || !page.degraded) ? page.items : undefined;
}

// Positions and sizes of elements.
import { expect, type Locator } from '@playwright/test';

/** Repeats a check of positions and sizes until it holds: a font, a picture or a new window size is laid out some frames later. */
export const laidOut = (check: () => Promise<void>) => expect(check).toPass({ timeout: 15_000 });

/** The boxes of visible elements. */
export async function boxesOf(elements: readonly Locator[]) {
  return Promise.all(
    elements.map(async (element) => {
      await expect(element).toBeVisible();
      const box = await element.boundingBox();
      if (!box) throw new Error('the element is not laid out');
      return { ...box, right: box.x + box.width, bottom: box.y + box.height };
    }),
  );
}

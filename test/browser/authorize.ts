/** Enters a key above the operations at /docs. */
import type { Page } from 'playwright-core';

export async function authorize(page: Page, key: string): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
}

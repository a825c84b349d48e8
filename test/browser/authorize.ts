/** Enters a key in the page at /docs. */
import type { Page } from 'playwright-core';

export async function authorize(page: Page, key: string): Promise<void> {
  await page.locator('.auth-wrapper .authorize').first().click();
  await page.locator('.auth-container input').first().fill(key);
  await page.locator('.auth-btn-wrapper .authorize').first().click();
  await page.locator('.btn-done').first().click();
}

/** How /docs is laid out: two columns where there is room, rows of one line, constraints beside parameters, one column on a phone. */
import { expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = async (part: Locator): Promise<Box> => (await part.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };

export function testLayout(browser: () => Browser): void {
  const database = withDatabase();
  const app = withApp(() => startApp(database.db, { docs: true }));

  const open = async (width: number, id: string) => {
    const page = await browser().newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(scaleTimeout(10_000));
    await page.goto(`${app.url}/docs`);
    const operation = page.locator(`.opblock[id$="-${id}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-table').waitFor();
    return { page, operation };
  };

  test.each([1180, 1440])('%i px: code and responses are beside the parameters, and stay in view', async (width) => {
    const { page, operation } = await open(width, 'getPhoto');
    const fields = await boxOf(operation.locator('.parameters').first());
    for (const name of ['.docs-sample', '.responses-table']) {
      const { x, y } = await boxOf(operation.locator(name));
      expect([name, x > fields.x + fields.width, y < fields.y + fields.height]).toEqual([name, true, true]);
    }
    await page.evaluate(`document.querySelector('[data-param-name=If-Match]').scrollIntoView()`);
    expect((await boxOf(operation.locator('.docs-right'))).y).toBe(12);
    await page.close();
  });

  test.each([1179, 768, 390])('%i px: one column, and nothing overflows', async (width) => {
    const { page, operation } = await open(width, 'listOrders');
    const button = await boxOf(operation.locator('.execute'));
    const code = await boxOf(operation.locator('.docs-sample'));
    expect([code.y > button.y, code.x <= button.x]).toEqual([true, true]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await page.close();
  });

  test('closed operations are rows of 34 px without a tint; an open one has no Cancel, and Execute at the last field', async () => {
    const { page, operation } = await open(1440, 'listOrders');
    const row = page.locator('.opblock[id$="-deletePet"]');
    expect((await boxOf(row)).height).toBe(34);
    const colors = await page.evaluate<string[]>(`(() => {
      const row = document.querySelector('.opblock[id$="-deletePet"]');
      return [getComputedStyle(row).backgroundColor, getComputedStyle(row.querySelector('.opblock-summary-method')).backgroundColor];
    })()`);
    expect(colors).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    expect(await operation.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    const field = await boxOf(operation.locator('[data-param-name=cursor] input'));
    const button = await boxOf(operation.locator('.execute'));
    expect([button.x === field.x, button.y - field.y < 100, button.width < 200]).toEqual([true, true, true]);
    await page.close();
  });

  test('constraints, defaults and examples are beside each parameter, below its name', async () => {
    const { page, operation } = await open(390, 'listOrders');
    const parameter = (name: string) => operation.locator(`[data-param-name=${name}]`);
    expect(await parameter('limit').innerText()).toContain('1 to 100 · default 20 · for example 20');
    expect(await parameter('cursor').innerText()).toContain('at most 200 characters · pattern ^[A-Za-z0-9_-]+$');
    const name = await boxOf(parameter('cursor').locator('.parameter__name'));
    const text = await boxOf(parameter('cursor').locator('.renderedMarkdown p').first());
    expect([text.x === name.x, text.y >= name.y + name.height]).toEqual([true, true]);
    await page.close();
  });

  test('lines of text have at most 70 characters, and code in them is neutral', async () => {
    const { page } = await open(1440, 'listOrders');
    const widths = await page.evaluate<number[]>(`(() => {
      return [...document.querySelectorAll('.docs-prose p')].map((paragraph) => {
        const zeros = document.createElement('span');
        zeros.textContent = '0'.repeat(70);
        zeros.style.whiteSpace = 'nowrap';
        paragraph.append(zeros);
        const most = zeros.getBoundingClientRect().width;
        zeros.remove();
        return paragraph.getBoundingClientRect().width - most;
      });
    })()`);
    expect(widths.filter((excess) => excess > 1)).toEqual([]);
    const [code, text] = await page.evaluate<string[]>(
      `['.docs-prose code', '.docs-prose p'].map((name) => getComputedStyle(document.querySelector(name)).color)`,
    );
    expect(code).toBe(text);
    await page.close();
  });
}

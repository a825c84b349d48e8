/** Compares a picture of a page with the one that is committed. `UPDATE_SCREENSHOTS=1` writes those that differ. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { requireOfChromium } from './find-chromium.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ACTUAL = join(ROOT, '.cache/screenshots');

/** The share of pixels that may differ: what another processor rounds in another way. */
const MAX_DIFFERENT = 0.001;

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

interface Libraries {
  readonly PNG: { readonly sync: { read(file: Buffer): Picture; write(picture: Picture): Buffer } };
  readonly pixelmatch: (a: Uint8Array, b: Uint8Array, difference: Uint8Array, width: number, height: number) => number;
}

async function loadLibraries(): Promise<Libraries> {
  const { PNG } = requireOfChromium('pngjs') as Pick<Libraries, 'PNG'>;
  const path = pathToFileURL(requireOfChromium.resolve('pixelmatch')).href;
  const { default: pixelmatch } = (await import(path)) as { readonly default: Libraries['pixelmatch'] };
  return { PNG, pixelmatch };
}

interface Difference {
  readonly problem: string;
  readonly image?: Buffer;
}

/** @returns how the pictures differ, with a picture of the difference if they have one size; `undefined` if they are alike. */
export async function compareImages(expected: Buffer, actual: Buffer): Promise<Difference | undefined> {
  const { PNG, pixelmatch } = await loadLibraries();
  const [before, now] = [PNG.sync.read(expected), PNG.sync.read(actual)];
  const { width, height } = now;
  if (before.width !== width || before.height !== height)
    return { problem: `${width} x ${height} pixels, was ${before.width} x ${before.height}` };
  const data = Buffer.alloc(now.data.length);
  const count = pixelmatch(before.data, now.data, data, width, height);
  if (count <= MAX_DIFFERENT * width * height) return undefined;
  return { problem: `${count} of ${width * height} pixels differ`, image: PNG.sync.write({ width, height, data }) };
}

/**
 * Takes a picture of what is visible of the page, and compares it. What was taken, and the difference, are in `.cache/screenshots`.
 *
 * @param path of the committed picture, from the root of the repository.
 * @throws Error if the pictures differ, or there is none to compare with.
 */
export async function compareScreenshot(page: Page, path: string): Promise<void> {
  const actual = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await mkdir(ACTUAL, { recursive: true });
  await writeFile(join(ACTUAL, basename(path)), actual);
  const expected = await readFile(join(ROOT, path)).catch(() => undefined);
  const difference: Difference | undefined =
    expected === undefined ? { problem: 'there is no picture' } : await compareImages(expected, actual);
  if (difference === undefined) return;
  if (process.env['UPDATE_SCREENSHOTS']) {
    await mkdir(dirname(join(ROOT, path)), { recursive: true });
    return writeFile(join(ROOT, path), actual);
  }
  if (difference.image !== undefined) await writeFile(join(ACTUAL, `difference-${basename(path)}`), difference.image);
  throw new Error(
    `${path}: ${difference.problem}; see .cache/screenshots, and run it with UPDATE_SCREENSHOTS=1 if it should look like that`,
  );
}

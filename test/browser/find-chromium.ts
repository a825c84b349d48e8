/** The Chromium of the tests of pages, with fonts from npm: a page looks alike on every machine. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { scaleTimeout } from 'specwright/testing';

/** Resolves what `test/browser/chromium/package.json` names. */
export const requireOfChromium = createRequire(new URL('chromium/package.json', import.meta.url));

/** `CHROMIUM` of the environment, else the one that `test/browser/chromium/package.json` names; `undefined` if it is not installed. */
export async function findChromium(): Promise<string | undefined> {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM'];
  try {
    const { default: packed } = (await import(pathToFileURL(requireOfChromium.resolve('@sparticuz/chromium')).href)) as {
      default: { executablePath(): Promise<string> };
    };
    return await packed.executablePath();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));

/** Where `@sparticuz/chromium` unpacks Open Sans beside its program. */
const OPEN_SANS = join(tmpdir(), 'fonts');

/** @returns the path of a configuration of fontconfig that knows two fonts. */
async function writeFontConfig(): Promise<string> {
  const dejavu = join(dirname(requireOfChromium.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const alias = (family: string, font: string) =>
    `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  const file = join(CACHE, 'fonts.conf');
  await mkdir(CACHE, { recursive: true });
  await writeFile(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${OPEN_SANS}</dir><dir>${dejavu}</dir>` +
      `<cachedir>${join(CACHE, 'fonts')}</cachedir>` +
      ['sans-serif', 'system-ui', 'Arial', 'Helvetica'].map((family) => alias(family, 'Open Sans')).join('') +
      `${['monospace', 'Courier New'].map((family) => alias(family, 'DejaVu Sans Mono')).join('')}</fontconfig>`,
  );
  return file;
}

/** A Chromium of the environment has the fonts of the machine. @param executablePath of `findChromium`. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  const env = process.env['CHROMIUM'] ? process.env : { ...process.env, FONTCONFIG_FILE: await writeFontConfig() };
  // It runs as root in CI, where there is no sandbox.
  const args = ['--no-sandbox', '--font-render-hinting=none'];
  return chromium.launch({ executablePath, env, args, timeout: scaleTimeout(120_000) });
}

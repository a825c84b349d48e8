/** The Chromium of the tests of pages. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** `CHROMIUM` of the environment, else the one that `test/browser/chromium/package.json` names; `undefined` if it is not installed. */
export async function findChromium(): Promise<string | undefined> {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM'];
  const require = createRequire(new URL('chromium/package.json', import.meta.url));
  try {
    const { default: packed } = (await import(pathToFileURL(require.resolve('@sparticuz/chromium')).href)) as {
      default: { executablePath(): Promise<string> };
    };
    return await packed.executablePath();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** How every script runs: as a program if it was started as one, with its errors in words, and exit codes that CI reads. */
import { pathToFileURL } from 'node:url';
import { formatFatalError } from '@specwright/server';

/** Runs `main` if the module at `url` is the program, not if it was only imported. As `runMain`. */
export async function runScript(url: string, usage: string, main: () => Promise<void>): Promise<void> {
  if (url === pathToFileURL(process.argv[1] ?? '').href) await runMain(usage, main);
}

/** Arguments that can be read, and cannot be used; the usage follows. */
export class UsageError extends Error {}

/** Exits with 1 if `main` throws, with 2 and the usage if its arguments cannot be read. */
export async function runMain(usage: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(formatFatalError(error));
    const misused = error instanceof UsageError || ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') ?? false);
    if (misused) console.error(usage);
    process.exitCode = misused ? 2 : 1;
  }
}

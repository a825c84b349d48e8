/** A rehearsal of publishing: a registry on loopback, to which a copy of the checkout publishes as a release does. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, test } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import { makeFolder, MINUTE_MS as MINUTE, type RunResult } from './new-project.ts';
import { copyCheckout, INSTALL_REGISTRY, isRegistryInstalled, nodeFolder, startRegistry, type Registry } from './registry.ts';

const { readPackages } = (await import(new URL('../../../scripts/release/packages.mjs', import.meta.url).href)) as {
  readonly readPackages: (root: string) => readonly { readonly name: string }[];
};

/** In CI it must not be skipped. */
export const isRun = isRegistryInstalled() || process.env['CI'] !== undefined;
/** Declares a test, which is skipped where the registry is not installed. */
export const rehearse: Pick<typeof test, 'each'> & ((name: string, run: () => Promise<void>, timeoutMs: number) => void) = isRun
  ? test
  : test.skip;

export interface Rehearsal {
  /** What a user's shell has, and the registry. */
  readonly environment: () => Record<string, string>;
  /** Runs a command with the registry. */
  readonly run: (cwd: string, command: string, ...args: string[]) => Promise<RunResult>;
  /** Builds and publishes all packages from the copy of the checkout. */
  readonly publish: () => Promise<RunResult>;
  /** Of the folder of the rehearsal: `checkout`, `tarballs`. */
  readonly path: (...names: string[]) => string;
  readonly emptyFolder: (name: string) => Promise<string>;
}

/** Starts a registry for the tests of the current file. */
export function withRegistry(): Rehearsal {
  let folder: string;
  let registry: Registry;
  beforeAll(async () => {
    if (!isRun) return console.warn(`the rehearsal of publishing is skipped: ${INSTALL_REGISTRY}`);
    folder = await makeFolder();
    for (const name of ['checkout', 'registry', 'tarballs']) await mkdir(join(folder, name));
    await copyCheckout(join(folder, 'checkout'));
    const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    registry = await startRegistry(
      join(folder, 'registry'),
      upstream,
      readPackages('.').map(({ name }) => name),
    );
  }, 2 * MINUTE);
  afterAll(async () => {
    if (!isRun) return;
    await registry.close();
    await removeFolder(folder);
  });

  const environment = () => {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH: `${nodeFolder()}${delimiter}${PATH}`, HOME, npm_config_update_notifier: 'false', npm_config_audit: 'false', npm_config_yes: 'true', ...registry.env }; // prettier-ignore
  };
  const run = (cwd: string, command: string, ...args: string[]) =>
    new Promise<RunResult>((resolve, reject) => {
      const child = spawn(command, args, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, output }));
    });
  return {
    environment,
    run,
    publish: () => run(join(folder, 'checkout'), 'node', 'scripts/release.mjs', 'publish'),
    path: (...names) => join(folder, ...names),
    emptyFolder: async (name) => {
      await mkdir(join(folder, name));
      return join(folder, name);
    },
  };
}

/** Looks whether the embedded database of a folder can be started, without changing anything. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findEmbedded } from './embedded.ts';
import { locateBinaries } from './binaries.ts';
import { run } from './child-process.ts';
import { inspectCluster } from './cluster.ts';
import { EmbeddedError, toEmbeddedError } from './embedded-error.ts';
import { chooseSystemUser, canReach } from './system-user.ts';

export interface EmbeddedState {
  /** Of PostgreSQL: `18`. */
  readonly major: string;
  /** Whether there is data. */
  readonly exists: boolean;
  readonly url: string | undefined;
}

/** @param options as for `startEmbedded`. @throws EmbeddedError with the reason that it could not be started, and the fix. */
export async function inspectEmbedded({ dataDir, database }: { dataDir: string; database: string }): Promise<EmbeddedState> {
  const cluster = join(dataDir, 'postgres');
  const user = await chooseSystemUser(dataDir, cluster);
  const binaries = await locateBinaries();
  // Root copies what its user cannot reach, at the first start.
  if (user === undefined || (await canReach(user, binaries.postgres, 'execute'))) {
    const { code, output } = await run(binaries.postgres, ['--version'], user);
    if (code !== 0) throw new EmbeddedError(`${binaries.postgres} does not run: ${output}`, 'Install the packages again: npm ci');
  }
  const path = await inspectCluster(cluster, binaries, user);
  if (path === undefined) await assertWritable(dataDir);
  return { major: binaries.major, exists: path !== undefined, url: await findEmbedded({ dataDir, database }) };
}

/** Whether the folder, which may not exist yet, could be made and written. */
async function assertWritable(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found !== undefined && !found.isDirectory())
    throw toEmbeddedError(Object.assign(new Error('it is a file'), { code: 'ENOTDIR' }), `write ${folder}`);
  await access(found === undefined ? dirname(folder) : folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw toEmbeddedError(error, `write ${folder}`);
  });
}

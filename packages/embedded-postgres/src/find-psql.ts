/** psql: the one beside the embedded PostgreSQL if its package has it, else the one that is installed. */
import { access } from 'node:fs/promises';
import { constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { locateBinaries } from './binaries.ts';

/** @returns an absolute path; `undefined` if there is none. */
export async function findPsql(path: string = process.env['PATH'] ?? ''): Promise<string | undefined> {
  const program = process.platform === 'win32' ? 'psql.exe' : 'psql';
  const bundled = await locateBinaries().then(
    ({ postgres }) => [dirname(postgres)],
    () => [],
  );
  for (const folder of [...bundled, ...path.split(delimiter).filter(Boolean)]) {
    const file = join(folder, program);
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return file;
  }
  return undefined;
}

/** Where the releases of a contract and their changes are, as `specwright changelog --release` writes them. */
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';

/**
 * Looks beside the file of the contract.
 *
 * @param isOneOfSeveral whether the server has other contracts, too: then `changelog.json` could be another's.
 * @returns `changelog.v1.json` of `v1.yaml`, or `changelog.json`; `undefined` if there is none.
 */
export function findChangelog(file: string, isOneOfSeveral: boolean): string | undefined {
  const { dir, name } = parse(file);
  const names = [`changelog.${name}.json`, ...(isOneOfSeveral ? [] : ['changelog.json'])];
  return names.map((one) => join(dir, one)).find((path) => existsSync(path));
}

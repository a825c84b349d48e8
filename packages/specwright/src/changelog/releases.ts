/** The file `changelog.json` beside a spec: the changes of each release, newest first. `/docs` shows it. */
import { posix } from 'node:path';
import { z } from 'zod';
import { ContractError } from '@specwright/contract/document';
import type { PublishedChange } from './changelog.ts';

const change = z.strictObject({
  kind: z.enum(['added', 'changed', 'deprecated', 'removed']),
  where: z.string(),
  what: z.string(),
  schema: z.string().optional(),
  sides: z.array(z.enum(['requests', 'responses'])).optional(),
  operations: z.array(z.string()),
  breaking: z.strictObject({ rule: z.string(), impact: z.string(), reasons: z.array(z.string()) }).optional(),
});

const releases = z.array(z.strictObject({ version: z.string().min(1), date: z.iso.date(), changes: z.array(change) }));

/** A version, the day of its release (`YYYY-MM-DD`), and what changed for clients since the one before. */
export interface Release {
  readonly version: string;
  readonly date: string;
  readonly changes: readonly PublishedChange[];
}

/** The changelog of a spec, beside it: `changelog.json`, or `changelog.v1.json` of the `v1.yaml` of several contracts. The server looks for these. */
export const releasesFile = (spec: string, isOneOfSeveral: boolean): string =>
  posix.join(posix.dirname(spec), ['changelog', ...(isOneOfSeveral ? [posix.parse(spec).name] : []), 'json'].join('.'));

/** @param text of the file; `undefined` if there is none. @throws ContractError with everything that is wrong with it. */
export function readReleases(file: string, text: string | undefined): Release[] {
  if (text === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ContractError(file, [{ message: `is not JSON: ${(error as Error).message}`, line: 1, column: 1 }]);
  }
  const result = releases.safeParse(value);
  if (result.success) return result.data;
  throw new ContractError(
    file,
    result.error.issues.map(({ path, message }) => ({ message: `${path.join('/') || 'the list'}: ${message}`, line: 1, column: 1 })),
  );
}

/** The text of the file with one more release, the first. @throws Error if it has this version. */
export function addRelease(file: string, text: string | undefined, release: Release): string {
  const before = readReleases(file, text);
  const same = before.find(({ version }) => version === release.version);
  if (same !== undefined)
    throw new Error(`${file} has version ${same.version} of ${same.date}: choose the next version, or remove that one from the file`);
  return `${JSON.stringify([release, ...before], null, 2)}\n`;
}

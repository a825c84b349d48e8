/** `specwright changelog` of one contract: compares its spec with the base, and adds a release to its changelog. */
import { existsSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { ContractError } from '@specwright/contract/document';
import { printError } from '@specwright/server/command';
import { type PublishedChange, createChangelog, firstChangelog } from 'openapi-compare';
import { assertValid, readWorking } from '../breaking/check-recorded.ts';
import { findBase } from '../breaking/find-base.ts';
import { writeFile } from '../files/write-files.ts';
import { z } from '../libraries/zod.ts';
import { displayPath } from '../project-config.ts';
import type { RecordedContract } from '../select-contracts.ts';

export interface ChangelogOptions {
  readonly base: string | undefined;
  readonly 'or-head': boolean;
  /** The spec that the base may lack. */
  readonly new: string | undefined;
  /** The folder that may be written in. */
  readonly root: string;
  /** The version that is added to the changelog of the contract, and its day. */
  readonly release: { readonly version: string; readonly date: string } | undefined;
}

export interface ContractChangelog {
  readonly spec: string;
  /** What it was compared with, for people. */
  readonly base: string;
  readonly changes: readonly PublishedChange[];
}

/** @throws Error if the two cannot be compared, or the changelog has this version. */
export async function writeChangelog(contract: RecordedContract, options: ChangelogOptions): Promise<ContractChangelog> {
  const { spec, table, working } = readWorking(contract);
  const records = displayPath(contract.records);
  const { base: given, 'or-head': orHead, new: newSpec } = options;
  const base = findBase(spec, records, { base: given, orHead, newSpec, table, allowOutside: contract.allowOutside });
  if (base.note) printError(`::: ${base.note}`);
  const texts = { file: records, base: base.records, working: textOf(records) };
  if (base.spec === undefined) await assertValid(working);
  const changes =
    base.spec === undefined ? firstChangelog(working) : await createChangelog({ ...base, spec: base.spec }, working, texts, new Date());
  if (options.release !== undefined) {
    const file = releasesFile(spec, contract.contractName !== undefined);
    writeFile(options.root, resolve(file), addRelease(file, textOf(file), { ...options.release, changes }));
    printError(`added version ${options.release.version} to ${file}`);
  }
  return { spec, base: base.name, changes };
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** The file `changelog.json` beside a spec: the changes of each release, newest first. `/docs` shows it. */
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
interface Release {
  readonly version: string;
  readonly date: string;
  readonly changes: readonly PublishedChange[];
}

/** The changelog of a spec, beside it: `changelog.json`, or `changelog.v1.json` of the `v1.yaml` of several contracts. The server looks for these. */
const releasesFile = (spec: string, isOneOfSeveral: boolean): string =>
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

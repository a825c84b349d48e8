/** `specwright changelog` of one contract: compares its spec with the base, and adds a release to its changelog. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { displayPath } from '../project-config.ts';
import { checkDocument, ContractError, readDocument } from '@specwright/contract/document';
import type { RecordedContract } from '../breaking/check-recorded.ts';
import { findBase } from '../breaking/find-base.ts';
import { createChangelog, firstChangelog, type PublishedChange } from './changelog.ts';
import { addRelease, releasesFile } from './releases.ts';

export interface ChangelogOptions {
  readonly base: string | undefined;
  readonly 'or-head': boolean;
  /** The version that is added to the changelog of the contract, and its day. */
  readonly release: { readonly version: string; readonly date: string } | undefined;
}

/** What changed in one contract. */
export interface ContractChangelog {
  readonly spec: string;
  /** What it was compared with, for people. */
  readonly base: string;
  readonly changes: readonly PublishedChange[];
}

/** @throws Error if the two cannot be compared, or the changelog has this version. */
export async function writeChangelog(contract: RecordedContract, options: ChangelogOptions): Promise<ContractChangelog> {
  const spec = displayPath(contract.spec);
  const working = readDocument(spec);
  const problems = await checkDocument(working);
  if (problems.length > 0) throw new ContractError(spec, problems);
  const records = displayPath(contract.records);
  const base = findBase(spec, records, { base: options.base, orHead: options['or-head'] });
  if (base.note) console.error(`::: ${base.note}`);
  const texts = { file: records, base: base.records, working: textOf(records) };
  const changes =
    base.spec === undefined ? firstChangelog(working) : await createChangelog({ ...base, spec: base.spec }, working, texts, new Date());
  if (options.release !== undefined) {
    const file = releasesFile(spec, contract.contractName !== undefined);
    writeFileSync(file, addRelease(file, textOf(file), { ...options.release, changes }));
    console.error(`added version ${options.release.version} to ${file}`);
  }
  return { spec, base: base.name, changes };
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** Which contracts a command compares with their base. */
import { existsSync, statSync } from 'node:fs';
import { readProject, recordsFile } from '../project-config.ts';
import { selectContract, selectContracts, type Selection } from '../select-contracts.ts';
import type { RecordedContract } from './check-recorded.ts';

interface Compared extends Selection {
  readonly base: string | undefined;
}

export function comparedContracts({ base, ...selection }: Compared): readonly RecordedContract[] {
  const { spec, contract } = selection;
  // A document that is named needs no project around it.
  if (spec !== undefined && contract === undefined && !existsSync('package.json')) return [{ spec, records: recordsFile(spec) }];
  const project = readProject();
  // A file is the base of one.
  const isFile = base !== undefined && statSync(base, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? [selectContract(project, selection)] : selectContracts(project, selection);
}

/** Breaking changes for other programs: JSON, SARIF 2.1.0, and the commands of a GitHub workflow. */
import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { explain } from '../compare/rules.ts';
import type { BreakingChange, ChangeLocation } from './compare-specs.ts';
import type { MatchedRecords } from './records.ts';
import { workflowCommand } from './workflow-command.ts';

type FileLocation = ChangeLocation & { readonly file: string };

/** A change with its files, and the reason of its record, or null. */
export interface ListedChange extends Omit<BreakingChange, 'base' | 'working'> {
  readonly working: FileLocation;
  readonly base: FileLocation;
  readonly recorded: string | null;
}

/** @param spec the working spec, and the base: the files of locations that name none. */
export const listChange =
  (spec: string, baseFile: string) =>
  ({ reason, base, working, ...change }: MatchedRecords['changes'][number]): ListedChange => ({
    ...change,
    working: { file: spec, ...working },
    base: { file: baseFile, ...base },
    recorded: reason ?? null,
  });

/** For other programs: JSON, SARIF 2.1.0, and the commands of a GitHub workflow. */
export const FORMATS: Readonly<Record<string, (changes: readonly ListedChange[]) => string>> = {
  json: (changes) => JSON.stringify(changes, null, 2),
  sarif: (changes) => JSON.stringify(toSarif(changes), null, 2),
  github: (changes) => changes.map(toCommand).join('\n'),
};

const levelOf = ({ recorded, isWarning }: ListedChange) => (recorded !== null ? 'note' : isWarning === true ? 'warning' : 'error');

function toSarif(changes: readonly ListedChange[]): object {
  const rules = [...new Set(changes.map(({ rule }) => rule))].sort();
  const location = ({ file, line, column }: FileLocation) => ({
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, startColumn: column } },
  });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'openapi-compare',
            informationUri: 'https://github.com/specwright/specwright/tree/main/packages/openapi-compare',
            rules: rules.map((id) => ({ id, help: { text: explain(id, []).fix } })),
          },
        },
        results: changes.map((change) => ({
          ruleId: change.rule,
          level: levelOf(change),
          message: { text: `${change.change} ${change.impact}` },
          locations: [location(change.working)],
          // What was there before is in another commit, which a viewer of this one does not have.
          properties: { before: change.base, operations: change.operations, recorded: change.recorded },
          partialFingerprints: { change: `${change.rule} ${change.at} ${change.change}` },
          ...(change.recorded !== null && { suppressions: [{ kind: 'external', justification: change.recorded }] }),
        })),
      },
    ],
  };
}

/** SARIF 2.1.0, 3.4.3: a URI, relative to the root of the checkout if the path is. */
const uriOf = (file: string): string =>
  isAbsolute(file) ? pathToFileURL(file).href : file.toWellFormed().split(sep).map(encodeURIComponent).join('/');

function toCommand(change: ListedChange): string {
  const { working, base, rule, recorded } = change;
  const text = `${change.change} ${change.impact}. ${recorded === null ? `Instead: ${change.fix}` : `Recorded: ${recorded}`}. Before: ${base.file}:${base.line}`;
  const { file, line, column: col } = working;
  const level = levelOf(change);
  return workflowCommand(level === 'note' ? 'notice' : level, { file, line, col, title: rule }, text);
}

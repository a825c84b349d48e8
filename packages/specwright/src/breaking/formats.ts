/** Breaking changes as other programs read them: JSON, SARIF 2.1.0, and the commands of a GitHub workflow. */
import { explain } from '../compare/rules.ts';
import type { BreakingChange, ChangeLocation } from './compare-specs.ts';

type FileLocation = ChangeLocation & { readonly file: string };

/** A change with its files, and the reason of its record, or null. */
export interface ListedChange extends Omit<BreakingChange, 'base' | 'working'> {
  readonly working: FileLocation;
  readonly base: FileLocation;
  readonly recorded: string | null;
}

export const FORMATS: Readonly<Record<string, (changes: readonly ListedChange[]) => string>> = {
  json: (changes) => JSON.stringify(changes, null, 2),
  sarif: (changes) => JSON.stringify(toSarif(changes), null, 2),
  github: (changes) => changes.map(toCommand).join('\n'),
};

const levelOf = ({ recorded }: ListedChange) => (recorded === null ? 'error' : 'note');

function toSarif(changes: readonly ListedChange[]): object {
  const rules = [...new Set(changes.map(({ rule }) => rule))].sort();
  const location = ({ file, line, column }: FileLocation) => ({
    physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line, startColumn: column } },
  });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'specwright check-breaking', rules: rules.map((id) => ({ id, help: { text: explain(id, []).fix } })) } },
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

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function toCommand(change: ListedChange): string {
  const { working, base, rule, recorded } = change;
  const text = `${change.change} ${change.impact}. ${recorded === null ? `Instead: ${change.fix}` : `Recorded: ${recorded}`}. Before: ${base.file}:${base.line}`;
  const escaped = (value: string) => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (value: string) => escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const command = recorded === null ? 'error' : 'notice';
  return `::${command} file=${property(working.file)},line=${working.line},col=${working.column},title=${property(rule)}::${escaped(text)}`;
}

/** `specwright check-breaking` */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineCommand, UsageError, print, printCommands } from '@specwright/server/command';
import type { ListedChange } from 'openapi-compare';
import { CONTRACTS_OPTION, OUTSIDE_OPTION, comparedContracts, forEachContract } from '../select-contracts.ts';
import { displayPath, readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Compares the spec with the merge base of this branch and the main branch. Each change that breaks a client is reported\nwith both locations, its impact, and the lines that record it as intended in breaking-changes.yaml beside the spec\n(breaking-changes.NAME.yaml of several specs).\nWith --between it reports what a client of one contract has to change to use another: each is one of specwright.specs or a\nfile. That is no check: it fails only if they cannot be compared.',
  positionals: ['[TO]'],
  options: {
    between: { type: 'string', value: 'FROM', description: 'reports what a client of FROM has to change to use TO' },
    contract: CONTRACTS_OPTION,
    base: { type: 'string', value: 'REF|FILE', description: 'compares with a commit, a file, or a file of a commit (REF:FILE)' },
    new: { type: 'string', value: 'FILE', description: 'a spec that no client knows yet: the base need not have it' },
    'or-head': { type: 'boolean', description: 'compares with the current commit where there is no main branch' },
    spec: { type: 'string', value: 'FILE', description: "the working spec (default: the project's)" },
    'allow-outside': OUTSIDE_OPTION,
    format: { type: 'string', value: 'FORMAT', description: 'prints the changes as text (default), json, sarif or github' },
    json: { type: 'boolean', description: 'the same as --format json' },
    summary: { type: 'string', value: 'FILE', description: 'appends the report to FILE, in Markdown' },
    prune: { type: 'boolean', description: 'removes the records that match no change' },
  },
  examples: ['specwright check-breaking', 'specwright check-breaking --base v1.4.0', 'specwright check-breaking --between v1 v2'],
  failure: 'a breaking change is not recorded, or the spec has problems',
  async run({ values, positionals }) {
    if (values.between !== undefined) {
      const { from, to } = betweenWhich(values.between, positionals, values);
      const { compareContracts, differenceToJson, formatDifference } = await import('openapi-compare');
      const difference = await compareContracts(from, to, new Date(), { allowOutside: values['allow-outside'] });
      print(values.json ? JSON.stringify(differenceToJson(difference), null, 2) : formatDifference(difference));
      return;
    }
    if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals.join(' ')}`);
    const { rootOfArgument } = await import('../files/write-files.ts');
    const { checkRecorded } = await import('../breaking/check-recorded.ts');
    const { FORMATS } = await import('openapi-compare');
    const { format = values.json ? 'json' : 'text' } = values;
    const formatChanges = FORMATS[format];
    if (formatChanges === undefined && format !== 'text')
      throw new UsageError(`--format ${format}: must be text, ${Object.keys(FORMATS).join(', ')}`);
    const root = values.spec === undefined ? process.cwd() : rootOfArgument(values.spec, 'file');
    let listed: ListedChange[] | undefined;
    const checked = forEachContract(comparedContracts(values), (contract) =>
      checkRecorded(
        contract,
        { ...values, root, isQuiet: formatChanges !== undefined },
        (changes) => (listed = [...(listed ?? []), ...changes]),
      ),
    );
    await checked.finally(() => {
      if (formatChanges !== undefined && listed !== undefined) (format === 'github' ? printCommands : print)(formatChanges(listed));
    });
  },
});

/** What does nothing with `--between`. */
const OTHERS = ['format', 'contract', 'base', 'new', 'or-head', 'spec', 'summary', 'prune'] as const;

/** The two contracts to compare, each by its name and the file of its spec. @throws UsageError if there are not two. */
function betweenWhich(from: string, [to, ...more]: readonly string[], values: Readonly<Record<string, unknown>>) {
  if (to === undefined || more.length > 0) throw new UsageError('--between compares two: --between v1 v2');
  const other = OTHERS.find((name) => values[name] !== undefined && values[name] !== false);
  if (other !== undefined) throw new UsageError(`--between compares without a base and a record: remove --${other}`);
  const contracts = existsSync('package.json') ? readProject().contracts : [];
  const find = (name: string) => {
    const spec = contracts.find(({ contractName }) => contractName === name)?.spec ?? name;
    if (existsSync(resolve(spec))) return { name, spec: displayPath(spec) };
    if (spec !== name) throw new Error(`--between ${name}: there is no file ${spec}, which specwright.specs names: create it`);
    const names = contracts.flatMap(({ contractName = [] }) => contractName);
    const known = names.length === 0 ? '' : `; specwright.specs has ${names.join(', ')}`;
    throw new UsageError(`--between ${name}: there is no such contract, and no such file${known}`);
  };
  return { from: find(from), to: find(to) };
}

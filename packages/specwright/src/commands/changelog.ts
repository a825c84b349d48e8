/** `specwright changelog` */
import { resolve } from 'node:path';
import { CONTRACTS_OPTION, OUTSIDE_OPTION, comparedContracts, forEachContract } from '../select-contracts.ts';
import { defineCommand, UsageError, printText } from '@specwright/server/command';
import type { ContractChangelog } from '../changelog/write-changelog.ts';

const FORMATS = ['markdown', 'json'];

export const command = defineCommand({
  description:
    'Writes for people what changed for clients since the merge base of this branch\nand the main branch: what was added, changed, deprecated and removed, by\noperation, and what breaks clients, with its impact and the recorded reason.\nWith --release it also adds a version to changelog.json beside the spec\n(changelog.v1.json of the v1.yaml of several), which /docs shows.',
  options: {
    contract: CONTRACTS_OPTION,
    base: { type: 'string', value: 'REF|FILE', description: 'compares with a commit, a file, or a file of a commit (REF:FILE)' },
    new: { type: 'string', value: 'FILE', description: 'a first version: the base need not have it' },
    'or-head': { type: 'boolean', description: 'without a main branch, the current commit' },
    spec: { type: 'string', value: 'FILE', description: "the working spec (default: the project's)" },
    'allow-outside': OUTSIDE_OPTION,
    format: { type: 'string', value: 'FORMAT', description: 'markdown (default) or json' },
    out: { type: 'string', value: 'FILE', description: 'writes it to FILE, not to the output' },
    release: { type: 'string', value: 'VERSION', description: 'adds VERSION to changelog.json' },
    date: { type: 'string', value: 'YYYY-MM-DD', description: 'its day (default: today, in UTC)' },
  },
  examples: [
    'specwright changelog',
    'specwright changelog --base v1.4.0 --format json',
    'specwright changelog --base v1.4.0 --release 1.5.0',
  ],
  failure: 'the specs cannot be compared, or changelog.json has the version',
  async run({ values }) {
    const { format = 'markdown', out, release: version, date } = values;
    if (!FORMATS.includes(format)) throw new UsageError(`--format ${format}: must be ${FORMATS.join(' or ')}`);
    const release = version === undefined ? undefined : releaseOf(version, date, values.base);
    if (version === undefined && date !== undefined) throw new UsageError('--date is the day of a release: add --release VERSION');
    const { rootOfArgument, writeFile } = await import('../files/write-files.ts');
    const { writeChangelog } = await import('../changelog/write-changelog.ts');
    const { codeSpan, escapeMarkdown } = await import('@specwright/contract/document');
    const { inMarkdown } = await import('openapi-compare');
    const { formatRelease } = await import('@specwright/server/docs');
    const contracts = comparedContracts(values);
    const written: ContractChangelog[] = [];
    await forEachContract(contracts, async (contract) => {
      written.push(
        await writeChangelog(contract, {
          ...values,
          release,
          root: values.spec === undefined ? process.cwd() : rootOfArgument(values.spec, 'file'),
        }),
      );
    }).finally(() => {
      if (written.length === 0) return;
      const text =
        format === 'json'
          ? `${JSON.stringify(written, null, 2)}\n`
          : written
              .map(
                ({ spec, base, changes }) =>
                  `## Changes in ${codeSpan(spec)} since ${escapeMarkdown(base)}\n\n${formatRelease({ changes: changes.map(inMarkdown) })}`,
              )
              .join('\n');
      if (out === undefined) printText(text);
      else writeFile(rootOfArgument(out, 'file'), resolve(out), text);
    });
  },
});

function releaseOf(version: string, date: string | undefined, base: string | undefined) {
  if (!/^[\w.+-]+$/.test(version)) throw new UsageError(`--release ${version}: must be a version such as 1.5.0`);
  if (base === undefined) throw new UsageError('--release needs the version before it: add --base REF, such as its tag');
  const day = date ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) throw new UsageError(`--date ${day}: must be a day, YYYY-MM-DD`);
  return { version, date: day };
}

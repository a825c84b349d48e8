/** `specwright check-breaking` */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { MatchedRecords } from '../breaking/records.ts';
import { defineCommand, plural } from '@specwright/server/command';
import { displayPath, readProjectConfig } from '@specwright/cli/project';

export const command = defineCommand({
  description:
    'Compares the spec with the merge base of this branch and the main branch. Each change that breaks a client is reported\nwith both locations, its impact, and the lines that record it as intended in breaking-changes.yaml beside the spec.',
  options: {
    base: { type: 'string', value: 'REF|FILE', description: 'compares with a commit or a file' },
    'or-head': { type: 'boolean', description: 'compares with the current commit where there is no main branch' },
    spec: { type: 'string', value: 'FILE', description: "the working spec (default: the project's)" },
    json: { type: 'boolean', description: 'prints the changes as JSON' },
    summary: { type: 'string', value: 'FILE', description: 'appends the report to FILE, in Markdown' },
    prune: { type: 'boolean', description: 'removes the records that match no change' },
  },
  examples: ['specwright check-breaking', 'specwright check-breaking --base v1.4.0'],
  failure: 'a breaking change is not recorded, or the spec has problems',
  async run({ values }) {
    const { checkDocument, ContractError, readDocument } = await import('@specwright/server/document');
    const { compareWithBase } = await import('../breaking/compare-specs.ts');
    const { findBase, recordsFileOf } = await import('../breaking/find-base.ts');
    const { matchRecords, prune, readRecords } = await import('../breaking/records.ts');
    const { formatMarkdown, formatReport, unrecorded } = await import('../breaking/report.ts');
    const spec = displayPath(values.spec ?? readProjectConfig().spec);
    const working = readDocument(spec);
    const problems = await checkDocument(working);
    if (problems.length > 0) throw new ContractError(spec, problems);

    const file = recordsFileOf(spec);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const records = readRecords(file, text);
    const base = findBase(spec, file, { base: values.base, orHead: values['or-head'] });
    if (base.note) console.error(`::: ${base.note}`);
    const summarize = (markdown: string) => values.summary && appendFileSync(values.summary, markdown);
    if (base.spec === undefined) {
      summarize(`## Breaking changes\n\n\`${spec}\` is new: ${base.name} has none.\n`);
      console.log(values.json ? '[]' : `${spec} is new: ${base.name} has none, so no client can break`);
      return;
    }

    const changes = await compareWithBase({ ...base, spec: base.spec }, working, new Date());
    const matched = matchRecords(changes, records, readRecords(`${base.file} (records)`, base.records ?? ''));
    const files = { spec, records: file, baseFile: base.file, baseName: base.name };
    summarize(formatMarkdown(matched, files));
    const unused = [...matched.stale, ...matched.merged];
    if (values.prune && unused.length > 0) {
      writeFileSync(file, prune(file, text, unused));
      console.error(`removed ${plural(unused.length, 'record')} from ${file}`);
    }
    if (values.json) console.log(JSON.stringify(matched.changes.map(toJson(spec, base.file)), null, 2));
    else console.log(formatReport(values.prune ? { ...matched, stale: [], merged: [] } : matched, files));
    const open = unrecorded(matched.changes).length;
    if (open > 0)
      throw new Error(`${plural(open, 'breaking change')} not recorded: revert them, or record those that are intended in ${file}`);
  },
});

/** A change with its files, and `recorded`: the reason, or null. */
const toJson =
  (spec: string, baseFile: string) =>
  ({ reason, base, working, ...change }: MatchedRecords['changes'][number]) => ({
    ...change,
    working: { file: spec, ...working },
    base: { file: baseFile, ...base },
    recorded: reason ?? null,
  });

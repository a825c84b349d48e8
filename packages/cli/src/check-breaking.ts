/** `npm run check-breaking`: compares the spec with the one on the main branch, and fails on a break that is not recorded. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkDocument, ContractError, parseSource, readDocument, type SourceDocument } from '@specwright/server';
import { SPEC_FILE } from './spec-file.ts';
import { findBase, recordsOf, type Base } from './breaking/base.ts';
import type { Finding } from './breaking/change.ts';
import { compare } from './breaking/compare.ts';
import { prune, readRecords, settle } from './breaking/records.ts';
import { inMarkdown, inWords, unrecorded } from './breaking/report.ts';
import { runScript } from './run.ts';
import { count } from './words.ts';

const USAGE = `usage: npm run check-breaking [-- OPTIONS]
  --base REF|FILE   compare with a commit or a file (otherwise: where this branch left the main branch)
  --or-head         where there is no main branch at all, compare with the current commit
  --spec FILE       the working spec
  --json            the findings as JSON
  --summary FILE    append the report to FILE, in Markdown
  --prune           remove the records that fit nothing any more`;

/** Compares with a base whose text may not even be YAML: that, too, is a break that can be recorded. */
async function findingsOf(base: Base, text: string, working: SourceDocument): Promise<Finding[]> {
  let before: SourceDocument;
  try {
    before = parseSource(base.file, text);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map(({ line = 1, column = 1, message }) => ({
      rule: 'base-invalid',
      change: `The base cannot be read: ${message}`,
      why: 'what it promised cannot be told, so nothing is known of what breaks',
      at: '#',
      base: { line, column },
      working: { line: 1, column: 1 },
    }));
  }
  return compare(before, working, new Date());
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      'or-head': { type: 'boolean' },
      spec: { type: 'string' },
      json: { type: 'boolean' },
      summary: { type: 'string' },
      prune: { type: 'boolean' },
    },
  });
  const spec = relative(process.cwd(), resolve(values.spec ?? SPEC_FILE));
  const working = readDocument(spec);
  const problems = await checkDocument(working);
  if (problems.length > 0) throw new ContractError(spec, problems);

  const file = recordsOf(spec);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const records = readRecords(file, text);
  const base = findBase(spec, file, { base: values.base, orHead: values['or-head'] });
  if (base.note) console.error(`::: ${base.note}`);
  const summary = (markdown: string) => values.summary && appendFileSync(values.summary, markdown);
  if (base.spec === undefined) {
    summary(`## Breaking changes\n\n\`${spec}\` is new: ${base.name} has none.\n`);
    console.log(values.json ? '[]' : `${spec} is new: ${base.name} has none, so there is no client to break`);
    return;
  }

  const findings = await findingsOf(base, base.spec, working);
  const settled = settle(findings, records, readRecords(`${base.file} (records)`, base.records ?? ''));
  const subject = { spec, records: file, baseFile: base.file, baseName: base.name };
  summary(inMarkdown(settled, subject));
  const over = [...settled.stale, ...settled.merged];
  if (values.prune && over.length > 0) {
    writeFileSync(file, prune(file, text, over));
    console.error(`removed ${count(over.length, 'record')} from ${file}`);
  }
  if (values.json) console.log(JSON.stringify(settled.findings.map(asJson(spec, base.file)), null, 2));
  else console.log(inWords(values.prune ? { ...settled, stale: [], merged: [] } : settled, subject));
  const open = unrecorded(settled.findings).length;
  if (open > 0)
    throw new Error(`${count(open, 'breaking change')} not recorded: take back what is not meant, and record what is in ${file}`);
}

/** A finding with its files, and `recorded`: the reason, or null. */
function asJson(spec: string, baseFile: string) {
  return ({ reason, base, working, ...finding }: ReturnType<typeof settle>['findings'][number]) => ({
    ...finding,
    working: { file: spec, ...working },
    base: { file: baseFile, ...base },
    recorded: reason ?? null,
  });
}

await runScript(import.meta.url, USAGE, main);

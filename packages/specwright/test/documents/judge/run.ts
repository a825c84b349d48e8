/**
 * `npm run ts -- packages/specwright/test/documents/judge/run.ts [--list FILE] [--documents FOLDER] [--python FILE] [--values COUNT] [--hostile] [NAME...]`: values that hypothesis-jsonschema draws of published
 * documents and mutates are judged by openapi-schema-validator, by our validators and by a mock. Ends with 1 if a difference has no documented reason.
 *
 * With --hostile the values are those of the hostile corpus, one at a time in the properties of valid bodies.
 *
 * Python is that of the folder's environment, which is made of requirements.txt, unless one is named.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { fileOf, readList } from '../fetch-document.ts';
import { compareDocument, type Difference } from './compare-document.ts';
import { PythonJudge } from './python-judge.ts';

const HERE = 'packages/specwright/test/documents/judge';
const LIST = join(HERE, 'judged.yaml');
/** No value that is drawn needs it. */
const HOSTILE_RULE = 'unpaired-surrogate';
/** Differences of a document that are printed. */
const SHOWN = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string', default: LIST },
    documents: { type: 'string' },
    python: { type: 'string' },
    values: { type: 'string', default: '500' },
    hostile: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'judge-'));
const judge = new PythonJudge(values.python ?? installPython(join(folder, 'python')), resolve(HERE, 'judge.py'), folder);
const totals: Record<string, number> = {};
const add = (name: string, count: number): void => void (totals[name] = (totals[name] ?? 0) + count);
let unexplained = 0;
let failed = 0;

console.log('| document | requests | responses | valid | sent to the mock | received | explained | unexplained | seconds |');
console.log('|---|---|---|---|---|---|---|---|---|');
for (const document of readList(values.list, positionals)) {
  const start = performance.now();
  try {
    const { counts, valid, differences } = await compareDocument(judge, {
      file: await fileOf(document, values.documents, folder),
      name: document.name,
      count: Number(values.values),
      isHostile: values.hostile,
    });
    const open = differences.filter(({ rule }) => rule === null);
    for (const [name, count] of Object.entries(counts)) add(name, count);
    for (const { rule } of differences) if (rule !== null) add(`explained: ${rule}`, 1);
    const columns = [
      document.name,
      counts.requests,
      counts.responses,
      valid,
      counts.sent,
      counts.received,
      differences.length - open.length,
    ];
    console.log(`| ${[...columns, open.length, Math.round((performance.now() - start) / 1000)].join(' | ')} |`);
    unexplained += open.length;
    const distinct = new Map(open.map((one) => [`${one.who} ${one.pointer} ${(one.ours[0] ?? one.judge[0] ?? '').slice(0, 60)}`, one]));
    for (const difference of [...distinct.values()].slice(0, SHOWN)) console.error(describe(document.name, difference));
  } catch (error) {
    failed += 1;
    console.error(`${document.name}: ${String(error).slice(0, 2000)}`);
  }
}
judge.end();
rmSync(folder, { recursive: true });
console.log(`\n${JSON.stringify(totals, undefined, 2)}\n${unexplained} unexplained differences, ${failed} documents failed`);
// A part of the list does not need every rule.
const unneeded = values.list === LIST && positionals.length === 0 && !values.hostile ? rulesWithout(totals) : [];
for (const rule of unneeded) console.error(`explained.yaml: no difference needs ${rule} any more`);
process.exitCode = failed + unexplained + unneeded.length === 0 ? 0 : 1;

function rulesWithout(used: Readonly<Record<string, number>>): string[] {
  const { rules } = parse(readFileSync(join(HERE, 'explained.yaml'), 'utf8')) as { readonly rules: Readonly<Record<string, string>> };
  return Object.keys(rules).filter((rule) => used[`explained: ${rule}`] === undefined && rule !== HOSTILE_RULE);
}

function describe(name: string, { who, isAccepted, path, method, status, type, text, ours, judge: errors }: Difference): string {
  const place = `${name}, ${who} of ${method} ${path}${status && ` ${status}`} ${type}`;
  return `${place}: ${isAccepted ? 'accepted' : 'refused'} by us\n  ${text.slice(0, 600)}\n  ours: ${ours.slice(0, 5).join('; ')}\n  judge: ${errors.slice(0, 6).join('; ')}`;
}

function installPython(environment: string): string {
  mkdirSync(environment);
  execFileSync('python3', ['-m', 'venv', environment]);
  execFileSync(join(environment, 'bin/pip'), ['install', '--quiet', '--requirement', join(HERE, 'requirements.txt')], { stdio: 'inherit' });
  return join(environment, 'bin/python');
}

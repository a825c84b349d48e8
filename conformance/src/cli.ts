/**
 * `specwright-conformance --base URL [--group NAME]... [--json FILE]`: sends the suite to a server, whose handlers echo what they
 * understood, and prints what did not keep the contract. Ends with 1 if a case failed.
 *
 * `--write-contracts DIR` writes the documents that such a server has to serve.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import type { Case } from './case.ts';
import { GROUPS } from './groups.ts';
import { runCases } from './run-cases.ts';
import { count, VERDICTS } from './summary.ts';

const USAGE = `usage: specwright-conformance --base URL [--group NAME]... [--case ID]... [--json FILE]
       specwright-conformance --write-contracts DIR

groups: ${GROUPS.map(({ name }) => name).join(', ')}`;

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    group: { type: 'string', multiple: true, default: [] },
    case: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    timeout: { type: 'string', default: '5000' },
    'write-contracts': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values['write-contracts'] !== undefined) writeContracts(values['write-contracts']);
else if (values.base !== undefined) process.exitCode = await sendSuite(values.base);
else {
  console.log(USAGE);
  if (!values.help) process.exitCode = 2;
}

function writeContracts(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, document } of GROUPS)
    writeFileSync(join(folder, `${name}.yaml`), stringify(document, { aliasDuplicateObjects: false }));
  console.log(`${GROUPS.length} documents in ${folder}`);
}

async function sendSuite(base: string): Promise<number> {
  const unknown = values.group.filter((name) => !GROUPS.some((group) => group.name === name));
  if (unknown.length > 0) {
    console.error(`error: there is no group ${unknown.join(', ')}\n${USAGE}`);
    return 2;
  }
  const all: unknown[] = [];
  let failed = 0;
  for (const { name, cases } of GROUPS.filter((group) => values.group.length === 0 || values.group.includes(group.name))) {
    const chosen = cases.filter(({ id }) => values.case.length === 0 || values.case.includes(id));
    const results = await runCases(new URL(base), chosen, Number(values.timeout));
    for (const [at, result] of results.entries()) if (result.verdict !== 'kept') print(chosen[at] as Case, result);
    const counts = count(results);
    failed += results.length - counts.kept;
    console.log(`${name}: ${VERDICTS.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}`);
    all.push({ group: name, results });
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
  return failed === 0 ? 0 : 1;
}

function print({ id, request, accepts, source }: Case, { verdict, reason }: { readonly verdict: string; readonly reason: string }): void {
  console.log(`${verdict.toUpperCase()} ${id}`);
  console.log(`  sent      ${JSON.stringify(request.slice(0, 400))}`);
  console.log(`  answered  ${reason}`);
  console.log(`  expected  ${accepts.map((outcome) => JSON.stringify(outcome)).join(' or ')}`);
  console.log(`  ${source.standard}, ${source.section}: ${source.sentence}\n`);
}

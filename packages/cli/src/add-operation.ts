/** `npm run add-operation`: gives every operation of the spec that has no handler one that answers 501, and a test to write. */
import { parseArgs } from 'node:util';
import { readDocument } from '@specwright/server';
import { SPEC_FILE } from './spec-file.ts';
import { generate } from './generate.ts';
import { writeGenerated } from './generated.ts';
import { runScript } from './run.ts';
import { sayStubs } from './stubs/say.ts';
import { addStubs } from './stubs/stubs.ts';

const USAGE = 'usage: npm run add-operation [-- --no-tests] [-- --spec FILE]';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { tests: { type: 'boolean', default: true }, spec: { type: 'string', default: SPEC_FILE } },
    allowNegative: true,
  });
  const spec = readDocument(values.spec);
  // First what names the operations that were: it tells one that is renamed from one that is gone.
  const files = await generate(spec);
  const report = await addStubs({ root: process.cwd(), spec, tests: values.tests });
  for (const path of writeGenerated('generated', files)) console.log(`wrote ${path}`);
  for (const line of sayStubs(report)) console.log(line);
}

await runScript(import.meta.url, USAGE, main);

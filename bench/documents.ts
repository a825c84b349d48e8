/** What compiling the schemas of a document costs, and whom it keeps waiting: published documents, and graphs of 300 schemas. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgress, defineCommand } from '@specwright/server/command';
import { percentile } from '../test/support/tools/load-client.ts';
import { measureFirstRequests, measureStorm } from './documents/measure.ts';
import { benchRequests } from './documents/requests.ts';
import { createSchemaGraph } from './documents/schema-graph.ts';
import { listed, nodeExecutable, NODE_OPTION, positive } from './support/arguments.ts';
import { withContractProgram } from './support/contract-program.ts';
import { describeRun, publish, table } from './support/report.ts';

const PUBLISHED = ['docusign', 'stripe', 'kubernetes', 'github'];
const SCHEMAS = 300;
const GRAPHS: Readonly<Record<string, boolean>> = { chain: false, cycle: true };
const NAMES = [...Object.keys(GRAPHS), ...PUBLISHED];
const DEFAULT_OPERATIONS = 400;

/** Of the columns that `measureDocument` returns. */
const ROWS = [
  'operations, of them requested',
  'until it listens',
  'of everything compiled',
  'longest turn of the event loop while all first requests come at once',
  'longest wait of `/livez` meanwhile',
  'a first request once the server is idle: median, 95th percentile, most',
  'a second request, mean',
  'heap for each operation, KiB',
  'answered 500, 503 or not at all: all at once, once idle',
];

export const command = defineCommand({
  description: `What compiling the schemas of a document costs: CPU to listening, of everything compiled, and of the first request of each operation; the longest slice of the event loop and the longest wait of /livez; heap. For a chain and a cycle of ${SCHEMAS} schemas, and for documents as published, which are not part of this project.`,
  options: {
    documents: { type: 'string', value: 'DIR', description: `the folder with ${PUBLISHED.map((name) => `${name}.json`).join(', ')}` },
    only: { type: 'string', value: 'LIST', description: `only these: ${NAMES.join(', ')}` },
    operations: { type: 'string', value: 'N', description: `at most so many of each, evenly spread; ${DEFAULT_OPERATIONS} by default` },
    node: NODE_OPTION,
    save: { type: 'boolean', description: 'writes bench/results/documents.md' },
  },
  examples: ['npm run bench -- documents --only chain'],
  failure: 'a document cannot be measured',
  async run({ values }) {
    const node = nodeExecutable(values.node);
    const most = positive(values.operations, '--operations', DEFAULT_OPERATIONS);
    const progress = createProgress();
    const columns: { name: string; figures: string[] }[] = [];
    for (const name of listed(values.only, NAMES, '--only')) {
      const text = readDocument(values.documents, name);
      if (text === undefined)
        console.error(`not measured: there is no ${name}.json in ${values.documents ?? 'any folder: give --documents DIR'}`);
      else columns.push({ name, figures: await measureDocument({ node, name, text, most, show: (text) => progress.show(text) }) });
      progress.clear();
    }
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const head = ['CPU in ms; wall for `/livez`', ...columns.map(({ name }) => name)];
    const rows = ROWS.map((title, i) => [title, ...columns.map(({ figures }) => figures[i] ?? '')]);
    await publish('documents', [describeRun(version), table(head, rows)], values.save);
  },
});

/** @returns undefined if it is not in the folder. */
function readDocument(folder: string | undefined, name: string): string | undefined {
  if (Object.hasOwn(GRAPHS, name)) return JSON.stringify(createSchemaGraph(SCHEMAS, GRAPHS[name] ?? false));
  const file = join(folder ?? '', `${name}.json`);
  return folder !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

interface DocumentOptions {
  readonly node: string;
  readonly name: string;
  readonly text: string;
  /** How many operations are requested at most. */
  readonly most: number;
  readonly show: (text: string) => void;
}

function measureDocument({ node, name, text, most, show }: DocumentOptions): Promise<string[]> {
  show(`${name}: build`);
  return withContractProgram({ file: 'spec.json', text, node, handlers: 'unimplemented' }, async (program) => {
    const all = benchRequests(program.document);
    const step = Math.max(1, all.length / most);
    const requests = all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
    show(`${name}: all first requests at once`);
    const storm = await measureStorm(program, requests);
    show(`${name}: first requests once it is idle`);
    const idle = await measureFirstRequests(program, requests);
    const compiled = idle.idle + idle.first.reduce((total, value) => total + value, 0) - idle.second;
    return [
      `${all.length}, ${requests.length}`,
      idle.listening.toFixed(0),
      compiled.toFixed(0),
      storm.slice.toFixed(0),
      storm.livez.toFixed(0),
      spread(idle.first),
      (idle.second / requests.length).toFixed(1),
      (idle.heap / requests.length / 1024).toFixed(0),
      [storm, idle].map(({ failed }) => failed).join(', '),
    ];
  });
}

const spread = (values: readonly number[]): string => [0.5, 0.95, 1].map((share) => percentile(values, share).toFixed(1)).join(', ');

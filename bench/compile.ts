/** What compiling the schemas of a document costs, and whom it keeps waiting: published documents, and graphs of 300 schemas. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'specwright';
import { operationTable, parseSource } from '@specwright/contract/document';
import { measureFirstRequests, measureStorm, type ServerProgram } from './compile/measure.ts';
import { formatCompile, type CompileFigures } from './compile/report.ts';
import { benchRequests } from './compile/requests.ts';
import { createSchemaGraph } from './compile/schema-graph.ts';
import { createProgress } from './requests/progress.ts';
import { nodeExecutable } from './requests/servers/node-executable.ts';

const SERVER = fileURLToPath(new URL('compile/server.ts', import.meta.url));
const PUBLISHED = ['docusign', 'stripe', 'kubernetes', 'github'];
const SCHEMAS = 300;
const GRAPHS: Readonly<Record<string, boolean>> = { chain: false, cycle: true };
const DEFAULT_OPERATIONS = '400';

export const help = `npm run bench -- compile [options]

What compiling the schemas of a document costs: CPU to listening, of everything compiled, and of the first request of each operation; the
longest slice of the event loop and the longest wait of /livez; heap. For a chain and a cycle of ${SCHEMAS} schemas, and for documents as
published, which are not part of this project.

  --documents DIR     the folder with ${PUBLISHED.map((name) => `${name}.json`).join(', ')}
  --only NAME         one of them, or chain, or cycle; can be repeated
  --operations N      at most so many operations of each, evenly spread (default ${DEFAULT_OPERATIONS})
  --node VERSION|PATH the Node that runs the servers`;

export async function run(args: readonly string[]): Promise<void> {
  const options = {
    documents: { type: 'string' },
    only: { type: 'string', multiple: true },
    operations: { type: 'string', default: DEFAULT_OPERATIONS },
    node: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const node = nodeExecutable(values.node);
  const { show, clear } = createProgress();
  for (const name of values.only ?? [...Object.keys(GRAPHS), ...PUBLISHED]) {
    const text = Object.hasOwn(GRAPHS, name)
      ? JSON.stringify(createSchemaGraph(SCHEMAS, GRAPHS[name] ?? false))
      : readPublished(values.documents, name);
    if (text === undefined) {
      console.error(`NOT MEASURED: ${name}: there is no ${name}.json in ${values.documents ?? 'any folder: give --documents DIR'}`);
      continue;
    }
    try {
      const figures = await measureDocument(node, name, text, Number(values.operations), show);
      clear();
      console.log(formatCompile(figures));
    } catch (error) {
      clear();
      console.error(`NOT MEASURED: ${name}: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
}

function readPublished(folder: string | undefined, name: string): string | undefined {
  if (folder === undefined) return undefined;
  const file = join(folder, `${name}.json`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function measureDocument(
  node: string,
  name: string,
  text: string,
  most: number,
  show: (text: string) => void,
): Promise<CompileFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'compile-bench-'));
  try {
    show(`${name}: build`);
    const { document, digest } = parseSource('spec.json', text);
    await writeFile(join(folder, 'spec.json'), text);
    await writeFile(join(folder, 'table.json'), JSON.stringify({ digest, operations: operationTable(document) }));
    await writeFile(join(folder, 'document.json'), JSON.stringify(document, null, 2));
    await build({
      root: folder,
      main: relative(folder, SERVER),
      programs: [],
      databaseFolder: '.',
      contracts: [{ spec: 'spec.json', generated: '.' }],
    });
    const all = benchRequests(document);
    const step = Math.max(1, all.length / most);
    const requests = all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
    const program: ServerProgram = {
      node,
      module: join(folder, '.build/server.js'),
      args: [join(folder, 'spec.json'), join(folder, 'table.json')],
    };
    show(`${name}: all first requests at once`);
    const storm = await measureStorm(program, requests);
    show(`${name}: first requests right after the start`);
    const cold = await measureFirstRequests(program, requests, false);
    show(`${name}: first requests once it is idle`);
    const warm = await measureFirstRequests(program, requests, true);
    return { name, specKiB: text.length / 1024, operations: all.length, measured: requests.length, storm, cold, warm };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

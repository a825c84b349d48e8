/** How a server with 400 operations boots, and what a request to the last of them costs beside one to the first. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { operationTable, parseSource } from '@specwright/server';
import { measure } from './measure.ts';

const DURATION = 4000;
const IN_FLIGHT = 16;
const SIZES = [1, 400];

/** What the server tells: CPU of its whole process so far, in ms. */
export interface Told {
  readonly cpu: number;
  readonly port: number;
}

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'boot-bench-'));
  try {
    console.log(`Node ${process.version}. CPU of the server process; requests validated in and out, no database.\n`);
    console.log(
      `${'operations'.padStart(10)}${'spec KiB'.padStart(10)}${'boot ms'.padStart(9)}${'first µs'.padStart(10)}${'last µs'.padStart(9)}${'last/first'.padStart(12)}`,
    );
    for (const size of SIZES) {
      const text = stringify(documentOf(size), { aliasDuplicateObjects: false });
      const { document, digest } = parseSource('spec.yaml', text);
      const files = { spec: join(folder, 'spec.yaml'), table: join(folder, 'table.json') };
      await writeFile(files.spec, text);
      await writeFile(files.table, JSON.stringify({ digest, operations: operationTable(document) }));
      // The first start fills the cache of the TypeScript loader, as an image that is built has.
      await boot(files, async () => undefined);
      await boot(files, async (server, { cpu, port }) => {
        const cost = async (i: number) => {
          const before = (await ask(server)).cpu;
          let calls = 0;
          const call = async () => {
            calls += 1;
            const response = await fetch(`http://localhost:${port}/things-${i}/7?limit=5`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: '{"name":"Rex","tags":["a"]}',
            });
            if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
            await response.arrayBuffer();
          };
          await measure(call, IN_FLIGHT, DURATION);
          return (((await ask(server)).cpu - before) * 1000) / calls;
        };
        // The machine warms up on both, so that neither pays for it.
        await cost(0);
        await cost(size - 1);
        const [first, last] = [await cost(0), await cost(size - 1)];
        const figures = [
          String(size),
          (text.length / 1024).toFixed(0),
          cpu.toFixed(0),
          first.toFixed(0),
          last.toFixed(0),
          (last / first).toFixed(2),
        ];
        console.log(figures.map((figure, i) => figure.padStart([10, 10, 9, 10, 9, 12][i] ?? 0)).join(''));
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Server = ReturnType<typeof fork>;

async function boot(files: { spec: string; table: string }, work: (server: Server, told: Told) => Promise<unknown>): Promise<void> {
  const program = fileURLToPath(new URL('support/contract-server.ts', import.meta.url));
  const server = fork(program, [files.spec, files.table], { execArgv: ['--conditions=@specwright/source', '--import', 'tsx'] });
  try {
    const [told] = (await once(server, 'message')) as [Told];
    await work(server, told);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

async function ask(server: Server): Promise<Told> {
  server.send('cpu');
  const [told] = (await once(server, 'message')) as [Told];
  return told;
}

/** A contract of the size that a real one of so many operations has: about 4 KiB each. */
function documentOf(size: number): object {
  const error = { description: 'An error.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  const paths = Object.fromEntries(
    Array.from({ length: size }, (_, i) => {
      const properties = Object.fromEntries(
        Array.from({ length: 20 }, (__, n) => [
          `field${n}`,
          { type: 'string', maxLength: 100 + n, description: `Field ${n} of thing ${i}.` },
        ]),
      );
      const schema = {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1 },
          tags: { type: 'array', items: { $ref: '#/components/schemas/Tag' } },
          ...properties,
        },
      };
      const operation = {
        operationId: `makeThing${i}`,
        description: `Makes thing ${i}.`,
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        ],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { '200': { description: 'Made.', content: { 'application/json': { schema } } }, '400': error, '404': error },
      };
      return [`/things-${i}/{id}`, { post: operation }];
    }),
  );
  const schemas = {
    Tag: { type: 'string', maxLength: 50 },
    Error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
    },
  };
  return { openapi: '3.0.3', info: { title: 'Boot', version: '1' }, paths, components: { schemas } };
}

/** A server of the comparison: how it is installed and started, and what it cannot be asked. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Document, Group } from '../src/case.ts';
import { runCases, type Result } from '../src/run-cases.ts';

/** `adapter.json` in the folder of an adapter. */
export interface Adapter {
  /** The folder. */
  readonly folder: string;
  /** Its name in the report. */
  readonly title: string;
  readonly language: string;
  /** The page that recommends this way of serving a document. */
  readonly documentation: string;
  /** Whether it serves the document, or models that were written after it. */
  readonly kind: 'document' | 'models';
  /** Installs its pinned packages; nothing if it has none. */
  readonly install?: readonly string[];
  /** Starts a server for the document at CONTRACT (a JSON file), at PORT of 127.0.0.1, and the same whenever it is called. */
  readonly start: readonly string[];
  /** Operations that it cannot have, and why: an operationId, or its beginning and `*`. */
  readonly excludes: Readonly<Record<string, string>>;
  /** Operations with which it does not start, and why, written alike: the others are served, and the cases of these are refused. */
  readonly refuses?: Readonly<Record<string, string>>;
  /** The operations that its models have, written alike, if it serves no document: no other applies. */
  readonly has?: readonly string[];
  /** Whether a run fails if a case of it does that `deviates` does not have. */
  readonly keepsAll?: boolean;
  /** Cases that it fails on purpose, and why. A run fails if it keeps one of them. */
  readonly deviates?: Readonly<Record<string, string>>;
}

export const readAdapter = (folder: string): Adapter => ({
  ...(JSON.parse(readFileSync(join(folder, 'adapter.json'), 'utf8')) as Omit<Adapter, 'folder'>),
  folder,
});

/** @throws Error with the end of the output, if a package cannot be installed */
export function install({ folder, install: command }: Adapter): void {
  if (command === undefined) return;
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} failed:\n${`${stdout}${stderr}`.slice(-2_000)}`);
}

export interface GroupResult {
  readonly group: string;
  readonly results: readonly Result[];
  /** Cases of operations that the adapter cannot have. */
  readonly notApplicable: number;
  /** Why the document could not be served, if so: no case was sent. */
  readonly notServed?: string;
}

/** Serves the document of a group with an adapter, and sends its cases. */
export async function runGroup(adapter: Adapter, group: Group, timeoutMs: number): Promise<GroupResult> {
  const { cases, refused } = applicable(adapter, group);
  const notApplicable = group.cases.length - cases.length - refused.length;
  if (cases.length === 0) return { group: group.name, results: refused, notApplicable };
  try {
    const results = await serve(adapter, group, ({ base }) => runCases(base, cases, timeoutMs));
    return { group: group.name, results: [...results, ...refused], notApplicable };
  } catch (error) {
    return { group: group.name, results: refused, notApplicable, notServed: (error as Error).message };
  }
}

/**
 * Serves the operations of a group that an adapter can have, while `use` runs. The process is the first of its process group.
 *
 * @throws Error with the end of its output, if the server does not listen
 */
export async function serve<T>(
  adapter: Adapter,
  group: Group,
  use: (server: { readonly base: URL; readonly pid: number }) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const file = join(folder, `${group.name}.json`);
  writeFileSync(file, JSON.stringify(applicable(adapter, group).document, null, 2));
  const port = await freePort();
  const server = startServer(adapter, file, port);
  try {
    await untilListening(server, port);
    return await use({ base: new URL(`http://127.0.0.1:${port}`), pid: server.child.pid ?? 0 });
  } finally {
    await stop(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Applicable {
  /** The document without the operations that the adapter cannot have, or with which it does not start. */
  readonly document: Document;
  readonly cases: readonly Case[];
  /** The cases of operations with which it does not start. */
  readonly refused: readonly Result[];
}

export function applicable({ excludes, refuses = {}, has = ['*'] }: Adapter, { document, cases }: Group): Applicable {
  const isServed = (id: string): boolean =>
    matching(has, id) !== undefined && matching(Object.keys({ ...excludes, ...refuses }), id) === undefined;
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const left = Object.entries(item).filter(([, value]) => isServed((value as { operationId?: string }).operationId ?? ''));
    return left.some(([, value]) => typeof value === 'object') ? [[path, Object.fromEntries(left)] as const] : [];
  });
  const served = { ...document, paths: Object.fromEntries(paths) };
  return {
    document: paths.length === Object.keys(document.paths).length ? served : withUsedSchemas(served),
    cases: cases.filter(({ operationId }) => isServed(operationId)),
    refused: cases.flatMap(({ id, operationId }): Result[] => {
      const pattern = matching(Object.keys(excludes), operationId) === undefined ? matching(Object.keys(refuses), operationId) : undefined;
      return pattern === undefined ? [] : [{ id, verdict: 'refused', reason: `The server does not start: ${refuses[pattern]}` }];
    }),
  };
}

const matching = (patterns: readonly string[], id: string): string | undefined =>
  patterns.find((pattern) => (pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id));

/** A document without the schemas that only the operations taken out of it refer to. */
function withUsedSchemas(document: Document): Document {
  const schemas = (document.components?.['schemas'] ?? {}) as Readonly<Record<string, unknown>>;
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/([^"/]+)/gu)) {
      if (used.has(name) || schemas[name] === undefined) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  follow({ ...document, components: { ...document.components, schemas: undefined } });
  const left = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
  return { ...document, components: { ...document.components, schemas: left } };
}

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
}

function startServer({ folder, start }: Adapter, contract: string, port: number): Started {
  const [program = '', ...args] = start;
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    env: { ...process.env, NODE_ENV: 'production', CONTRACT: contract, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output = `${output}${chunk}`.slice(-4_000)));
  return { child, output: () => output };
}

const START_MS = 120_000;

async function untilListening({ child, output }: Started, port: number): Promise<void> {
  const end = performance.now() + START_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${output().trim()}`);
    if (performance.now() > end) throw new Error(`the server did not listen within ${START_MS / 1_000} s: ${output().trim()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function stop({ child }: Started): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  // Its group: `go run` and `uvicorn` have children.
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

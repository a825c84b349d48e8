/** Clients of small contracts: their packages, as `specwright client` writes them, loaded and type-checked. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { operationTable, parseSource, readDocument, type SourceDocument } from '@specwright/contract/document';
import { createServer, loadContract } from '@specwright/server';
import { createTestLog, listenOnFreePort, withFixture } from 'specwright/testing';
import { clientModule } from '../../../src/client/client-module.ts';
import { clientPackage } from '../../../src/client/client-package.ts';
import { queriesModule } from '../../../src/client/queries-module.ts';
import { schemasModule } from '../../../src/client/schemas-module.ts';
import { generate } from '../../../src/generate/generate.ts';
import { checkTypes } from './native-compiler.ts';

/** The functions of a client, without the types of its contract. */
export interface LoadedClient {
  createClient(options: object): Record<string, (input?: object, call?: object) => Promise<LoadedReply>>;
  orThrow(reply: unknown): Promise<LoadedReply>;
  createPartialClient(options: object, operations: object): ReturnType<LoadedClient['createClient']>;
  items(client: object, operation: string, input?: object, call?: object): AsyncGenerator;
  paginate(client: object, operation: string, input?: object, call?: object): AsyncGenerator<LoadedReply>;
}

export interface LoadedReply {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A folder for packages, which `remove` removes. */
export function createFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The document of a YAML text that starts at `paths:`. */
export const sourceOf = (text: string): SourceDocument =>
  parseSource('test.yaml', `openapi: 3.0.3\ninfo: { title: Test, version: 1.0.0 }\n${text}`);

/** Writes the package of a client, and beside it the module as a project has it: `source/client.ts`. */
export async function writeClient(folder: string, source: SourceDocument): Promise<void> {
  const openapi = (await generate(source)).get('openapi.ts') ?? '';
  mkdirSync(join(folder, 'source'), { recursive: true });
  for (const [name, text] of clientPackage(source, openapi, 'test-client')) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'source/client.ts'), clientModule(source));
  writeFileSync(join(folder, 'source/queries.ts'), queriesModule(source.document));
  writeFileSync(join(folder, 'source/schemas.ts'), schemasModule(source.document));
  writeFileSync(join(folder, 'source/openapi.ts'), openapi);
}

export const loadClient = async (folder: string): Promise<LoadedClient> =>
  (await import(pathToFileURL(join(folder, 'index.js')).href)) as LoadedClient;

/** A server of a document and the package of its client, for the tests of the current file. @param options of the client. */
export const withServedClient = (source: SourceDocument, handlers: object, options: object = {}) =>
  withFixture(
    async () => {
      const { folder, remove } = createFolder();
      await writeClient(folder, source);
      const file = join(folder, 'openapi.json');
      writeFileSync(file, JSON.stringify(source.published));
      const { digest, document } = readDocument(file);
      const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
      const server = createServer({ contract, handlers: handlers as never, security: {} as never, log: createTestLog() });
      const { url, close } = await listenOnFreePort(server);
      const module = await loadClient(folder);
      return { folder, url, module, client: module.createClient({ baseUrl: url, ...options }), close, remove };
    },
    async ({ close, remove }) => {
      await close();
      remove();
    },
  );

/** What the strictest settings report of files, with nothing but JavaScript and the browser declared: `file:line TS2322 message`. */
export const strictProblems = (folder: string, files: readonly string[]): string[] =>
  checkTypes(folder, files, {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    isolatedModules: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    types: [],
  }).map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);

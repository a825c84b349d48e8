/** Twenty mistakes in handlers, and the line of the compiler that names each. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';

export const LIBRARY = resolve('packages/server/test/types/library/generated/contract.ts');
export const book = `{ id: 1, title: 'Emma' }`;
export const headers = `{ Location: '/books/1', ETag: '"1"' }`;

/** A mistake in a handler, and the line that names it. What differs between compilers is left open. */
const ETAG = `'"1"'`;
const MISTAKES: readonly (readonly [name: string, operation: string, code: string, message: RegExp])[] = [
  [
    'a query parameter that is not declared',
    'listBooks',
    'void input.query.sort; throw new Error()',
    /^Property 'sort' does not exist on type '\{ limit: number; cursor\?/,
  ],
  [
    'a path parameter that is not declared',
    'listBooks',
    'void input.path.id; throw new Error()',
    /^Property 'id' does not exist on type '\{\}'/,
  ],
  [
    'a header that is not declared',
    'getBook',
    'void input.headers.Accept; throw new Error()',
    /^Property 'Accept' does not exist on type '\{\}'/,
  ],
  [
    'a property that the body does not have',
    'createBook',
    'void input.body.author; throw new Error()',
    /^Property 'author' does not exist on type '\{ (genre|title): /,
  ],
  [
    'a body of an operation without one',
    'listBooks',
    'void input.body.title; throw new Error()',
    /'input.body' is possibly 'undefined'|Property 'title' does not exist on type 'never'/,
  ],
  ['a body that is optional', 'updateBook', 'void input.body.title; throw new Error()', /^'input\.body' is possibly 'undefined'/],
  [
    'a parameter of another type',
    'getBook',
    'const id: string = input.path.bookId; throw new Error(id)',
    /^Type 'number' is not assignable to type 'string'/,
  ],
  [
    'an undeclared status',
    'createBook',
    'return reply(202)',
    /^Argument of type '202' is not assignable to parameter of type '(400 \| 201|201 \| 400)'/,
  ],
  ['no payload', 'createBook', 'return reply(201)', /^Expected 2 arguments, but got 1/],
  ['no headers', 'createBook', `return reply(201, { body: ${book} })`, /Payload<ContractTypes, "createBook", 201>/],
  [
    'a header that is missing',
    'createBook',
    `return reply(201, { headers: { Location: '/1' }, body: ${book} })`,
    /^Property 'ETag' is missing in type '\{ Location: string; \}' but required in type 'ReplyHeaders<ContractTypes, "createBook", 201>'/,
  ],
  [
    'a response header that is not declared',
    'createBook',
    `return reply(201, { headers: { ...${headers}, 'X-Count': 1 }, body: ${book} })`,
    /'X-Count'/,
  ],
  [
    'a header of another type',
    'createBook',
    `return reply(201, { headers: { Location: 1, ETag: ${ETAG} }, body: ${book} })`,
    /^Type 'number' is not assignable to type 'string'/,
  ],
  [
    'a property of the response that is missing',
    'createBook',
    `return reply(201, { headers: ${headers}, body: { id: 1 } })`,
    /'title' is missing in type '\{ id: number; \}'/,
  ],
  [
    'a property of the response that is not declared',
    'createBook',
    `return reply(201, { headers: ${headers}, body: { ...${book}, pages: 7 } })`,
    /'pages' does not exist in type/,
  ],
  ['no body', 'createBook', `return reply(201, { headers: ${headers} })`, /Payload<ContractTypes, "createBook", 201>/],
  [
    'a body of a response without one',
    'deleteBook',
    'return reply(204, { body: 1 })',
    /^Type 'number' is not assignable to type 'undefined'/,
  ],
  [
    'no media type of several',
    'getCover',
    `return reply(200, { body: { url: 'x' } })`,
    /Payload<ContractTypes, "getCover", 200>|'type' is missing/,
  ],
  ['a plain object', 'deleteBook', 'return { status: 204 }', /=> \{ status: number; \}' is not assignable to type 'Handler<"deleteBook">'/],
  [
    'a reply of another operation',
    'deleteBook',
    `return (0 as unknown as HandlerResponse<'getBook'>)`,
    /=> HandlerResponse<"getBook">' is not assignable to type 'Handler<"deleteBook">'/,
  ],
];

/** The first line of each mistake, by a compiler. */
function firstLines(tsc: string, options: object = {}, mistakes = MISTAKES): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
  try {
    const imports = `import type { Handler } from '${LIBRARY}';\nimport type { HandlerResponse } from '@specwright/server';\n`;
    const handlers = mistakes.map(
      ([, operation, code], i) => `export const h${i}: Handler<'${operation}'> = (input, reply) => { ${code} };`,
    );
    writeFileSync(join(folder, 'handlers.mts'), `${imports}${handlers.join('\n')}\n`);
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object };
    const paths = { '@specwright/server': [resolve('packages/server/src/index.ts')] };
    const config = {
      compilerOptions: { ...compilerOptions, noImplicitReturns: false, types: [], paths, ...options },
      files: ['handlers.mts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync(process.execPath, [resolve(tsc), '-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    const found = new Map(
      [...stdout.matchAll(/handlers\.mts\((\d+),\d+\): error TS\d+: (.*)/g)].reverse().map(([, line, text = '']) => [Number(line), text]),
    );
    return mistakes.map((_, i) => found.get(i + 3) ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests the messages of a compiler. */
export function describeMessages(tsc: string): void {
  describe('the first line of the compiler', () => {
    let lines: string[];
    beforeAll(() => {
      lines = firstLines(tsc);
    });

    test.each(MISTAKES.map(([name, , , message], i) => [name, i, message] as const))('names %s', (_name, i, message) => {
      expect(lines[i]).toMatch(message);
      expect(lines[i]?.length).toBeLessThan(400);
    });

    test('says that strict is needed, where it is not set', () => {
      const [line] = firstLines(tsc, { strict: false }, MISTAKES.slice(0, 1));
      expect(line).toMatch(/the types of specwright need \\?"strict\\?": true in tsconfig\.json/);
    });
  });
}

/** The types of handlers, as compilers see them: the proofs of `packages/server/test/types`, and mistakes with the line that names each. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { withCommands, type RunCommand } from '../support/projects/commands.ts';

const FOLDER = resolve('packages/server/test/types');
const LIBRARY = join(FOLDER, 'library/generated/contract.ts');
const book = `{ id: 1, title: 'Emma' }`;
const headers = `{ Location: '/books/1', ETag: '"1"' }`;

/** A mistake in a handler, and the line that names it. What differs between compilers is left open. */
const ETAG = `'"1"'`;
const MISTAKES: readonly (readonly [name: string, operation: string, code: string, message: RegExp, further?: RegExp])[] = [
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
  [
    'an undeclared status with a payload',
    'createBook',
    `return reply(202, { body: ${book} })`,
    /^Argument of type '202' is not assignable to parameter of type '(400 \| 201|201 \| 400)'/,
  ],
  [
    'a property that the payload in a variable has too many',
    'createBook',
    `const payload = { headers: ${headers}, body: { ...${book}, genre: 'essay' } }; return reply(201, payload)`,
    /Payload<ContractTypes, "createBook", 201>/,
    /^ *The types of 'body\.genre' are incompatible/m,
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
    /^Type 'number' is not assignable to type '(undefined|never)'/,
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

/** What a compiler says: of each mistake the first error of its line, and all that it says of other files. */
function compile(tsc: string, { strict }: { readonly strict: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
  try {
    const imports = `import type { Handler } from '${LIBRARY}';\nimport type { HandlerResponse } from '@specwright/server';\n`;
    const handlers = MISTAKES.map(
      ([, operation, code], i) => `export const h${i}: Handler<'${operation}'> = (input, reply) => { ${code} };`,
    );
    writeFileSync(join(folder, 'handlers.mts'), `${imports}${handlers.join('\n')}\n`);
    const config = {
      extends: join(FOLDER, 'tsconfig.json'),
      compilerOptions: {
        noImplicitReturns: false,
        strict,
        paths: { '@specwright/server': [resolve('packages/server/src/index.ts')] },
        typeRoots: [resolve('node_modules/@types')],
      },
      files: ['handlers.mts'],
      // The proofs are of strict projects; those of the extended file are included otherwise.
      ...(strict ? {} : { include: [] }),
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync(process.execPath, [resolve(tsc), '-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    const errors = [...stdout.matchAll(/^handlers\.mts\((\d+),\d+\): error TS\d+: (.*(?:\n +.*)*)\n/gm)];
    const found = new Map([...errors].reverse().map(([, line, text = '']) => [Number(line), text]));
    return {
      messages: MISTAKES.map((_, i) => found.get(i + 3) ?? ''),
      others: errors.reduce((rest, [text]) => rest.replace(text, ''), stdout),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates the contracts of the proofs, which are not committed, before the tests of a file. @returns what has run the commands. */
export function generateContracts(): RunCommand {
  const command = withCommands();
  beforeAll(async () => {
    for (const name of ['library', 'scopes', 'streams', 'weather']) {
      const folder = `packages/server/test/types/${name}`;
      const generated = await command(resolve('.'), 'generate', '--spec', `${folder}/openapi.yaml`, '--out', `${folder}/generated`);
      expect(generated).toMatchObject({ code: 0 });
    }
  }, scaleTimeout(60_000));
  return command;
}

/** Tests the proofs, and the messages of a compiler. */
export function testTypes(tsc: string): void {
  let compiled: ReturnType<typeof compile>;
  beforeAll(() => {
    compiled = compile(tsc, { strict: true });
  }, scaleTimeout(60_000));

  test('the proofs compile, and nothing under @ts-expect-error does', () => {
    expect(compiled.others).toBe('');
  });

  test.each(MISTAKES.map(([name, , , first, further], i) => [name, i, first, further] as const))(
    'the first line of the compiler names %s',
    (_name, i, first, further) => {
      const [line = '', ...lines] = compiled.messages[i]?.split('\n') ?? [];
      expect(line).toMatch(first);
      if (further !== undefined) expect(lines.join('\n')).toMatch(further);
      for (const each of [line, ...lines]) expect(each.length).toBeLessThan(400);
    },
  );
}

/** Tests the messages of a compiler in a project that is not strict. */
export function testLaxTypes(tsc: string): void {
  test(
    'without strict, the first line of the compiler names all but a value that may be absent',
    () => {
      const { messages } = compile(tsc, { strict: false });
      const unnamed = MISTAKES.flatMap(([name, , , first], i) => (first.test(messages[i]?.split('\n')[0] ?? '') ? [] : [name]));
      expect(unnamed).toEqual(['a body that is optional']);
    },
    scaleTimeout(60_000),
  );
}

/** What the compiler says of a reply that does not fit: short, and with the name of the operation, the status and the property. */
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const FILE = resolve('packages/server/test/types/reply-messages.ts');
const book = `{ id: 1, title: 'Emma' }`;
const headers = `{ Location: '/books/1', ETag: '"1"' }`;
const reply = (payload: string) =>
  `import type { Handler } from './library/generated/contract.ts';
export const handler: Handler<'createBook'> = (_input, reply) => {
  const payload = ${payload};
  return reply(201, payload);
};
`;

/** The messages of the compiler, one line each. */
function messagesOf(text: string): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  const host = ts.createCompilerHost(options);
  const [exists, read] = [host.fileExists.bind(host), host.readFile.bind(host)];
  host.fileExists = (file) => file === FILE || exists(file);
  host.readFile = (file) => (file === FILE ? text : read(file));
  const program = ts.createProgram([FILE], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(FILE))
    .flatMap(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n'));
}

test('an error names the payload by its operation and status, and the property', () => {
  const lines = messagesOf(reply(`{ headers: ${headers}, body: { ...${book}, genre: 'essay' } }`));
  expect(lines[0]).toContain('Payload<ContractTypes, "createBook", 201>');
  expect(lines).toContainEqual(expect.stringContaining("The types of 'body.genre' are incompatible"));
  for (const line of lines) expect(line.length).toBeLessThan(300);
});

test.each([
  ['without a payload', 'reply(202)'],
  ['with one', `reply(202, { body: ${book} })`],
])('an undeclared status is named with those that are declared, %s', (_, call) => {
  const lines = messagesOf(
    `import type { Handler } from './library/generated/contract.ts';\nexport const handler: Handler<'createBook'> = (_input, reply) => ${call};\n`,
  );
  expect(lines).toEqual([
    expect.stringMatching(/^Argument of type '202' is not assignable to parameter of type '(400 \| 201|201 \| 400)'\.$/),
  ]);
});

/** What the compiler says of a reply that does not fit: short, and with the name of the operation, the status and the property. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { book, describeMessages, headers, LIBRARY } from '../support/mistakes.ts';

const reply = (payload: string) =>
  `import type { Handler } from '${LIBRARY}';
export const handler: Handler<'createBook'> = (_input, reply) => {
  const payload = ${payload};
  return reply(201, payload);
};
`;

/** The messages of the native compiler, one line each. */
function messagesOf(text: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'reply-'));
  try {
    writeFileSync(join(folder, 'handler.mts'), text);
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object };
    const config = { compilerOptions: { ...compilerOptions, types: [] }, files: ['handler.mts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = resolve('node_modules/typescript-native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    return stdout
      .trimEnd()
      .slice(stdout.indexOf('handler.mts('))
      .split('\n')
      .map((line) => line.replace(/^handler\.mts\S+ error TS\d+: /, ''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
    `import type { Handler } from '${LIBRARY}';\nexport const handler: Handler<'createBook'> = (_input, reply) => ${call};\n`,
  );
  expect(lines).toEqual([
    expect.stringMatching(/^Argument of type '202' is not assignable to parameter of type '(400 \| 201|201 \| 400)'\.$/),
  ]);
});

describeMessages('node_modules/typescript-native/bin/tsc');

/** The runner of `npm run ts -- test/chaos/run.ts` fails on what falls short, does not end, or does not exist. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'chaos-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): Promise<{ code: number; output: string }> {
  const all = [
    '--conditions=@specwright/source',
    '--import',
    './test/support/runner/hooks.mjs',
    'test/chaos/run.ts',
    '--folder',
    'test/chaos/runner-cases',
    ...args,
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, all, (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }));
  });
}

test('a figure that is not what is allowed fails the run, and the table says which', async () => {
  const save = join(folder, 'rows.json');
  const { code, output } = await run('falls-short', 'holds', '--rounds', '7', '--save', save);
  expect(code).toBe(1);
  expect(output).toMatch(/load average \d/);
  expect(output).toMatch(/^falls-short +lost +1 +<= 0|^falls-short +lost +1 +0/m);
  expect(output.match(/^falls-short +lost .*FAILED$/m)).not.toBeNull();
  expect(output).toMatch(/^falls-short +goodput +90 % +>= 80 % +ok$/m);
  expect(output).toMatch(/^falls-short +rounds +7 +ok$/m);
  expect(JSON.parse(readFileSync(save, 'utf8'))).toMatchObject({ rows: [{ scenario: 'falls-short', value: 1, ok: false }, {}, {}, {}] });
  expect((await run('holds', '--before', save)).output).toMatch(/^scenario +measured +before +value/m);
});

test('a run in which everything holds exits with 0', async () => expect((await run('holds')).code).toBe(0));

test('a figure that is not what is allowed on a busy machine is not measurable, and the run exits with 3', async () => {
  const { code, output } = await run('busy');
  expect(code).toBe(3);
  expect(output).toMatch(/^busy +goodput +70 % +>= 80 % +not measurable at this load: others used 40 % of the processors$/m);
  expect(output).toMatch(/^busy +latency +5 ms +<= 50 ms +ok$/m);
  expect((await run('busy', 'falls-short')).code).toBe(1);
});

test('a scenario that does not end is stopped and cleaned up, and fails with the rows that it has', async () => {
  const { code, output } = await run('never-ends', 'holds');
  expect(code).toBe(1);
  expect(output).toMatch(/^never-ends +lost +0 .*ok$/m);
  expect(output).toMatch(/^never-ends +ended without an error +not done after 0\.1 s +FAILED$/m);
  expect(output).toMatch(/^never-ends +cleaned up +clean-up failed +FAILED$/m);
  expect(output).toContain('ended what was started first');
  expect(output).toMatch(/^holds .*ok$/m);
});

test('an unknown name or option exits with 2, and names what there is', async () => {
  const unknown = await run('holds', 'hold');
  expect(unknown.code).toBe(2);
  expect(unknown.output).toMatch(/unknown scenario hold: did you mean holds\?\nscenarios:\n.*\n +falls-short /);
  expect((await run('--round')).code).toBe(2);
  expect((await run('--rounds', 'many')).code).toBe(2);
});

/** The screen of the development loop: a person can scroll back, and reads one next step at its end. */
import { expect, test } from '@jest/globals';
import { createJsonScreen, createScreen, fixFirst } from '../../src/dev/report/screen.ts';

function screen(isTTY: boolean) {
  let written = '';
  const out = { isTTY, columns: 80, write: (text: string) => void (written += text) } as unknown as NodeJS.WriteStream;
  return { ...createScreen('/project', out), written: () => written };
}

test('nothing is cleared, in a terminal neither', () => {
  const out = screen(true);
  for (let i = 0; i < 3; i++) {
    out.begin(['/project/spec/openapi.yaml']);
    out.section('types', 'ok');
    out.end();
  }
  expect(out.written()).not.toMatch(/\u001b/);
  expect(out.written().match(/saved spec\/openapi\.yaml/g)).toHaveLength(3);
});

test('the next step is the first one that a section of the save has named, on one line', () => {
  const out = screen(false);
  out.begin([]);
  out.section('spec', 'ok');
  out.section('types', '2 errors', ['src/main.ts:3:7 no', 'src/main.ts:4:7 no'], fixFirst(['src/main.ts:3:7 no']));
  out.section('lint', '1 problem', ['spec/openapi.yaml:1:1 no'], fixFirst(['spec/openapi.yaml:1:1 no']));
  out.end();
  expect(out.written()).toMatch(/^types {6}2 errors; fix src\/main\.ts:3:7\n {2}src\/main\.ts:3:7 no\n/m);
  expect(out.written()).toMatch(/\nnext {7}fix src\/main\.ts:3:7\n$/);
  out.begin([]);
  out.section('spec', 'ok');
  out.end();
  expect(out.written()).toMatch(/\nnext {7}nothing to fix\n$/);
});

test('a problem without a location is to be fixed too, and none is nothing', () => {
  expect(fixFirst(['the spec cannot be read'])).toBe('fix it');
  expect(fixFirst([])).toBeUndefined();
});

test('for a program each save is a line of JSON, and so is what is not of a save', () => {
  let written = '';
  const out = createJsonScreen('/project', { write: (text: string) => ((written += text), true) });
  out.section('server', 'started');
  out.begin(['/project/spec/openapi.yaml']);
  out.section('spec', 'ok');
  out.section('types', '2 errors', ['src/main.ts:3:7 no: never', 'elsewhere'], 'fix src/main.ts:3:7');
  out.section('lint', '1 problem', ['spec/openapi.yaml:1:1 no'], 'fix spec/openapi.yaml:1:1');
  out.end();
  out.write('a line of the log\n');
  out.begin([]);
  out.end();
  const lines = written
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(lines).toEqual([
    { event: 'section', time, name: 'server', summary: 'started', problems: [] },
    {
      event: 'save',
      time,
      files: ['spec/openapi.yaml'],
      sections: [
        { name: 'spec', summary: 'ok', problems: [] },
        {
          name: 'types',
          summary: '2 errors',
          problems: [{ file: 'src/main.ts', line: 3, column: 7, message: 'no: never' }, { message: 'elsewhere' }],
          fix: 'fix src/main.ts:3:7',
        },
        {
          name: 'lint',
          summary: '1 problem',
          problems: [{ file: 'spec/openapi.yaml', line: 1, column: 1, message: 'no' }],
          fix: 'fix spec/openapi.yaml:1:1',
        },
      ],
      next: 'fix src/main.ts:3:7',
    },
    { event: 'output', time, text: 'a line of the log\n' },
    { event: 'save', time, files: [], sections: [], next: null },
  ]);
});

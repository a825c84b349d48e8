/** The files that a spec refers to are watched as it is: a save in one of them generates anew. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { Loop, type LoopParts } from '../../src/dev/loop.ts';
import { watch } from '../../src/dev/watch.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const root = withFolder();
beforeEach(() => {
  for (const folder of ['spec', 'common', 'generated', 'src/handlers']) mkdirSync(join(root.path, folder), { recursive: true });
  root.write('package.json', JSON.stringify({ name: 'test', specwright: { name: 'test', spec: 'spec/openapi.yaml' } }));
  root.write(
    'spec/openapi.yaml',
    `openapi: 3.0.3
info: { title: Test, version: '1' }
paths: {}
components: { schemas: { Pet: { $ref: ../common/pet.yaml } } }
`,
  );
  root.write('common/pet.yaml', 'type: string\n');
});

test('a save in a file outside the folder of the spec generates anew, and a syntax error there has its file and line', async () => {
  const shown: string[] = [];
  let listener: ((text: string) => void) | undefined;
  const screen = {
    begin: () => undefined,
    end: () => undefined,
    section: (name: string, summary: string, lines: readonly string[] = []) => {
      if (name !== 'spec') return;
      shown.push([summary, ...lines].join('\n'));
      listener?.(shown.at(-1) ?? '');
    },
  };
  const said = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      listener = (text) => pattern.test(text) && resolve();
    });
  const touch = () => undefined;
  const project = readProjectConfig(root.path);
  const ended = () => Promise.reject(new Error('only the spec is of interest here'));
  const watcher = watch({
    root: root.path,
    paths: [join(root.path, 'spec')],
    onSave: (files) => loop.save(files),
    onProblem: () => undefined,
  });
  const loop = new Loop({
    project,
    contracts: [{ project, spec: join(root.path, 'spec/openapi.yaml'), history: { touch } }],
    screen,
    types: { touch, check: ended },
    database: { touch },
    server: { state: () => ({ summary: '' }), alive: () => false },
    onWritten: () => undefined,
    onRead: (files: readonly string[]) => watcher.add(files),
  } as unknown as LoopParts);
  try {
    const schema = () =>
      (JSON.parse(readFileSync(join(root.path, 'generated/document.json'), 'utf8')) as { components: { schemas: { Pet: unknown } } })
        .components.schemas.Pet;
    const save = async (text: string | undefined, pattern: RegExp) => {
      const next = said(pattern);
      if (text === undefined) loop.save(new Set());
      else root.write('common/pet.yaml', text);
      await next;
    };
    await save(undefined, /^ok; wrote/);
    expect(schema()).toEqual({ type: 'string' });
    await save('type: integer\n', /^ok; wrote/);
    expect(schema()).toEqual({ type: 'integer' });
    await save('a: 1\ntype integer\nb: 2\n', /^1 problem[^]*common\/pet\.yaml:2:1 there is no colon after `type`/);
    await save('type: boolean\n', /^ok; wrote/);
    expect(schema()).toEqual({ type: 'boolean' });
  } finally {
    await loop.end();
    watcher.close();
  }
});

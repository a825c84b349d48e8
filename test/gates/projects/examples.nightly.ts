/** Each example alone: a project is made of it, which has no packages but those that it declares, and its test runs there. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import { makeFolder, MINUTE_MS as MINUTE, run, runNew } from '../../support/projects/new-project.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

test.each(readdirSync('examples'))(
  '%s has all that it needs',
  async (name) => {
    expect(await runNew(join(folder, name), '--example', name)).toMatchObject({ code: 0, output: expect.stringContaining('npm start') });
    expect(await run('npm', ['run', '--silent', 'typecheck'], join(folder, name))).toMatchObject({ code: 0 });
    await removeFolder(join(folder, name));
  },
  10 * MINUTE,
);

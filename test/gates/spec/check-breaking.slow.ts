/** The gate of breaking changes, run as CI runs it: in a repository, against its main branch. */
import { execFileSync } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { withProject } from '../../support/projects/with-project.ts';

const project = withProject();
let target: string | undefined;
beforeEach(async () => {
  // Set while these tests run in a pull request of GitHub.
  target = process.env['GITHUB_BASE_REF'];
  delete process.env['GITHUB_BASE_REF'];
  // What is recorded of this project is not what is tested.
  await writeFile(join(project.folder, RECORDS), '# None.\n');
  git('init', '-q');
  commit('the contract');
  git('switch', '-qc', 'branch');
});
afterEach(async () => {
  if (target !== undefined) process.env['GITHUB_BASE_REF'] = target;
});

const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main'];
const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: project.folder, stdio: 'pipe' });
const commit = (message: string) => {
  git('add', 'spec', 'generated');
  git('commit', '-qm', message);
};
const RECORDS = 'spec/breaking-changes.yaml';

/** Narrows the name of a pet: a good spec, but for its clients. */
const narrow = (to: number) => project.edit('spec/petstore.yaml', /(?<= {4}PetName:\n(?: {6}.*\n)*? {6}maxLength: )\d+/, String(to));

test(
  'a break turns this gate red and no other, at its place',
  async () => {
    expect(await project.command('check-breaking')).toMatchObject({
      code: 0,
      output: expect.stringContaining('no breaking changes against main'),
    });

    await narrow(50);
    expect((await project.command('generate')).code).toBe(0);
    commit('shorter names');
    const line = (await readFile(join(project.folder, 'spec/petstore.yaml'), 'utf8')).split('\n').indexOf('      maxLength: 50') + 1;
    const { code, output } = await project.command('check-breaking');
    expect(code).toBe(1);
    expect(output).toContain(`spec/petstore.yaml:${line}:7  PetName: \`maxLength\` lowered from \`100\` to \`50\`.`);
    expect(output).toMatch(new RegExp(`before: +[0-9a-f]+:spec/petstore\\.yaml:${line}:7`));
    expect(await project.command('lint')).toMatchObject({ code: 0 });
    expect(await project.typecheck()).toMatchObject({ code: 0 });
  },
  scaleTimeout(120_000),
);

test(
  'what is printed, with a reason, records the break; merged, the record excuses no other, and can be pruned',
  async () => {
    await narrow(50);
    const { output } = await project.command('check-breaking');
    const lines = output.split('\n').filter((text) => /^ {13}\S| {15}\S/.test(text));
    await appendFile(join(project.folder, RECORDS), lines.map((text) => `${text.slice(13)}\n`).join(''));
    expect(await project.command('check-breaking')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/breaking-changes\.yaml:\d+:\d+ 0\/reason/),
    });
    await project.edit(RECORDS, "reason: ''", 'reason: Labels are that long. Clients were told in May.');
    expect(await project.command('check-breaking')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Clients were told in May.'),
    });

    commit('shorter names');
    git('switch', '-q', 'main');
    git('merge', '-q', '--ff-only', 'branch');
    await narrow(100);
    expect(await project.command('check-breaking', '--prune')).toMatchObject({
      code: 1,
      output: expect.stringContaining('removed 1 record'),
    });
    expect(await readFile(join(project.folder, RECORDS), 'utf8')).not.toContain('rule:');
  },
  scaleTimeout(120_000),
);

test(
  'the report is in the summary and in JSON; a broken spec is told with its line, and a misused option with the usage',
  async () => {
    await narrow(50);
    const summary = join(project.folder, 'summary.md');
    await writeFile(summary, 'what others wrote\n');
    const { output } = await project.command('check-breaking', '--json', '--summary', summary);
    expect(JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1))).toMatchObject([
      {
        rule: 'schema-constraint-changed',
        at: '#/components/schemas/PetName/maxLength',
        working: { file: 'spec/petstore.yaml' },
        recorded: null,
      },
    ]);
    expect(await readFile(summary, 'utf8')).toMatch(
      /^what others wrote\n## Breaking changes\n[^]*not recorded[^]*```yaml\n- rule: schema-constraint-changed/,
    );

    await project.edit('spec/petstore.yaml', 'operationId: listPets', 'operationID: listPets');
    const broken = await project.command('check-breaking');
    expect(broken).toMatchObject({ code: 1, output: expect.stringMatching(/spec\/petstore\.yaml:\d+:\d+ Property `operationID`/) });
    expect(broken.output).not.toMatch(/^ +at /m);
    expect(await project.command('check-breaking', '--bas')).toMatchObject({
      code: 2,
      output: expect.stringContaining('usage: specwright check-breaking'),
    });
  },
  scaleTimeout(120_000),
);

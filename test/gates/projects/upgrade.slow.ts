/** `specwright upgrade` from one version to the next, with edits on both sides: the project is green again, and has both. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from 'specwright/testing';
import {
  copyNewProject,
  makeFolder,
  MINUTE_MS,
  NEW_PROJECT_TIMEOUT_MS,
  NPM_CONFIG,
  type NewProject,
} from '../../support/projects/new-project.ts';

let made: NewProject;
let project: string;
let parent: string;
let release: string;
beforeAll(async () => {
  made = await copyNewProject('accounts');
  project = made.folder;
  parent = await makeFolder();
  release = join(parent, 'release');
  commit('New');
  makeRelease();
}, NEW_PROJECT_TIMEOUT_MS);
afterAll(async () => {
  await made.remove();
  await removeFolder(parent);
});

function run(cwd: string, command: string, ...args: string[]): string {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: { PATH, HOME, ...NPM_CONFIG }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

function commit(message: string): void {
  run(project, 'git', 'init', '-q');
  run(project, 'git', 'add', '-A');
  run(project, 'git', '-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', message);
}

const edit = (file: string, change: (text: string) => string) => writeFileSync(file, change(readFileSync(file, 'utf8')));

/** The packages of the project with another template. Their names and versions are the same, as between two states of a checkout. */
function makeRelease(): void {
  cpSync(join(project, 'vendor'), release, { recursive: true });
  const [tool = ''] = readdirSync(release).filter((name) => /^specwright-\d/.test(name));
  const content = join(parent, 'content');
  mkdirSync(content);
  execFileSync('tar', ['-xzf', join(release, tool), '-C', content]);
  const template = join(content, 'package/template');
  edit(join(template, 'src/main.ts'), (text) => text.replace('/** ', '/** Next. '));
  edit(join(template, 'package.json'), (text) => text.replace('"dev":', '"next": "true",\n    "dev":'));
  writeFileSync(join(template, 'src/next.ts'), '/** New in the next version. */\nexport const NEXT = 1;\n');
  edit(join(content, 'package/template-accounts/src/plans.ts'), (text) => text.replace('day: 100_000', 'day: 200_000'));
  execFileSync('tar', ['-czf', join(release, tool), '-C', content, 'package']);
}

test(
  'it is refused with changes that are not committed; then it merges, installs, and ends with type check and tests',
  () => {
    edit(join(project, 'src/main.ts'), (text) => `${text}// Ours.\n`);
    edit(join(project, 'src/plans.ts'), (text) => text.replace('free: { minute: 60', 'free: { minute: 90'));
    edit(join(project, 'package.json'), (text) => text.replace('"scripts": {', '"scripts": {\n    "ours": "true",'));
    const upgrade = () => run(project, 'npx', 'specwright', 'upgrade', '--from', release);
    expect(upgrade).toThrow(/ended with 1:\n.*not committed/s);
    commit('Ours');
    const output = upgrade();
    for (const step of ['installing the packages', 'generating code', 'writing the schema', 'checking the types', 'running the tests'])
      expect(output).toMatch(new RegExp(`${step}: npm .*\n( {2}still .*\n)*  done in \\d+ s`));
    expect(readFileSync(join(project, 'src/main.ts'), 'utf8')).toMatch(/Next\. [^]*\/\/ Ours\./);
    expect(readFileSync(join(project, 'src/plans.ts'), 'utf8')).toMatch(/minute: 90[^]*day: 200_000/);
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { scripts: object };
    expect(scripts).toMatchObject({ ours: 'true', next: 'true', accounts: expect.any(String) });
    expect(readFileSync(join(project, 'node_modules/specwright/template/src/next.ts'), 'utf8')).toContain('NEXT');
    commit('Upgraded');
    // Once more there is nothing to change.
    expect(run(project, 'npx', 'specwright', 'upgrade', '--from', release, '--dry-run')).toContain('no file changes');
  },
  20 * MINUTE_MS,
);

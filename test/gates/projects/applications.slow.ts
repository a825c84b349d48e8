/**
 * Applications that are not ours, with the packages as they are published: docs/how-to/express.md, or the page of their framework, is followed
 * to the letter in each, and two routes get a contract. Two are tried with the slow tests, all with `APPLICATIONS=all`, as the nightly job does; `RECORD=1` writes the table of docs/README.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { editApplication, megabytes, readApplication, readPage, writeApplication } from '../../support/projects/application.ts';
import { MINUTE_MS as MINUTE } from '../../support/projects/new-project.ts';
import { followReadme, withBackground } from '../../support/projects/readme-example.ts';
import { isRun, rehearse, withRegistry } from '../../support/projects/rehearsal.ts';

const ALL = readdirSync('test/gates/foreign/applications').map((file) => file.replace('.yaml', ''));
const { APPLICATIONS = 'express4 express5', RECORD } = process.env;
const tried = APPLICATIONS === 'all' ? ALL : APPLICATIONS.split(' ');

const { environment, publish, emptyFolder } = withRegistry();
beforeAll(async () => {
  if (!isRun) return;
  const { code, output } = await publish();
  if (code !== 0) throw new Error(output);
}, 5 * MINUTE);

/** The tables that this prints. */
const tables = {
  applications: [['Application', 'Seconds', 'Lines', 'Server, MB', 'Tool, MB']],
  stopwatch: [['From an empty folder to', 'Commands', 'Seconds']],
};
/** Where `stopwatch` is recorded, below a comment of its name. */
const RECORDED = 'docs/README.md';
afterAll(() => {
  for (const name of ['applications', 'stopwatch'] as const) {
    const [head = [], ...rows] = tables[name];
    if (rows.length === 0) continue;
    const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
    console.log(table);
    if (RECORD === undefined || name !== 'stopwatch') continue;
    const [before = '', , after = ''] = readFileSync(RECORDED, 'utf8').split(/(?<=<!-- stopwatch -->\n)|(?=\n<!-- end -->)/);
    writeFileSync(RECORDED, `${before}\n${table}\n${after}`);
  }
});
const secondsSince = (start: number): number => Math.round((performance.now() - start) / 1000);

rehearse.each(tried)(
  '%s: two routes get a contract, and the others are as they were',
  async (name) => {
    const application = readApplication(name);
    const { install, base = '', own = '/users/1' } = application;
    const parent = await emptyFolder(`application-${name}`);
    const folder = writeApplication(application, parent);
    const tools = await emptyFolder(`tools-${name}`);
    if (install.startsWith('pnpm')) await followReadme([{ commands: ['npm install pnpm@latest'] }], { folder: tools, env: environment() });
    const env = {
      ...environment(),
      XDG_DATA_HOME: tools,
      PATH: `${join(tools, 'node_modules/.bin')}${delimiter}${environment()['PATH'] ?? ''}`,
    };
    await followReadme([{ commands: [install] }], { folder: parent, env });
    // The application works before.
    await followReadme([{ commands: ['npm test'] }], { folder, env });
    const sizes = [megabytes(parent)];

    const { before, after } = readPage(application);
    const startedAt = performance.now();
    for (const step of before) {
      for (const part of 'commands' in step ? step.commands.map((command) => ({ commands: [command] })) : [step]) {
        await followReadme([part], { folder, env });
        if ('commands' in part) sizes.push(megabytes(parent));
      }
    }
    const { lines } = editApplication(application, folder, before);
    await followReadme(after, { folder, env });
    const seconds = secondsSince(startedAt);

    // Its own tests and its build pass, and what it builds serves the contract.
    await followReadme([{ commands: ['npm test', 'npm run build'] }], { folder, env });
    await withBackground('npm start', { folder, env }, async (url) => {
      const refused = await fetch(`${url}${base}/notes`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
      expect([refused.status, await refused.json()]).toMatchObject([400, { message: 'body/text is required' }]);
      expect((await fetch(url + own)).status).toBe(200);
    });
    const [first = 0, withServer = 0, withTool = 0] = sizes;
    const figures = [seconds, lines, withServer - first, withTool - withServer];
    tables.applications.push([application.title, ...figures.map(String)]);
    if (name === 'express5')
      tables.stopwatch.push(['the first validated route of an Express application', 'those of docs/how-to/express.md', String(seconds)]);
  },
  15 * MINUTE,
);

/** What is there from the start, the commands, and a request that is answered with 200. */
const FIRST_STEPS = [
  {
    to: 'the first 200 of [hello](../examples/hello/README.md)',
    files: 'examples/hello',
    commands: ['npm install', 'npm start'],
    path: '/hello/Ada',
  },
  {
    to: 'the first 200 of a mock of an OpenAPI document',
    files: 'examples/hello/openapi.yaml',
    commands: ['npx specwright mock --spec openapi.yaml'],
    path: '/hello/Ada',
  },
];

(APPLICATIONS === 'all' ? rehearse : test.skip).each(FIRST_STEPS)(
  'from an empty folder to $to',
  async ({ to, files, commands, path }) => {
    const folder = await emptyFolder(files.replaceAll('/', '-'));
    await cp(files, files.endsWith('.yaml') ? join(folder, basename(files)) : folder, { recursive: true });
    const startedAt = performance.now();
    const env = environment();
    await followReadme([{ commands: commands.slice(0, -1) }], { folder, env });
    await withBackground(commands.at(-1) ?? '', { folder, env }, async (url) => {
      expect((await fetch(`${url}${path}`)).status).toBe(200);
      tables.stopwatch.push([to, commands.map((command) => `\`${command}\``).join(', '), String(secondsSince(startedAt))]);
    });
  },
  5 * MINUTE,
);

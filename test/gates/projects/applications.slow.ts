/**
 * Applications that are not ours, with the packages as they are published: docs/express.md is followed to the letter in each, and two routes
 * get a contract. Two are tried with the slow tests, all with `APPLICATIONS=all`, as the nightly job does; `RECORD=1` writes the table of the page.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { editApplication, megabytes, PAGE, readApplication, readPage, writeApplication } from '../../support/projects/application.ts';
import { MINUTE_MS as MINUTE } from '../../support/projects/new-project.ts';
import { followReadme, withBackground } from '../../support/projects/readme-example.ts';
import { rehearse, withRegistry } from '../../support/projects/rehearsal.ts';

const ALL = readdirSync('test/gates/foreign/applications').map((file) => file.replace('.yaml', ''));
const { APPLICATIONS = 'express4 express5', RECORD } = process.env;
const tried = APPLICATIONS === 'all' ? ALL : APPLICATIONS.split(' ');

const { environment, publish, emptyFolder } = withRegistry();
const rows: string[] = [];
let isPublished = false;
beforeAll(() => {
  rows.push('| Application | Seconds | Lines | Server, MB | Tool, MB |', '| --- | --- | --- | --- | --- |');
});
afterAll(() => {
  if (rows.length === 2) return;
  console.log(rows.join('\n'));
  if (RECORD === undefined) return;
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(
      /(<!-- applications -->\n)[^]*?(\n<!-- -->)/,
      (_all, start: string, end: string) => `${start}\n${rows.join('\n')}\n${end}`,
    ),
  );
});

rehearse.each(tried)(
  '%s: two routes get a contract, and the others are as they were',
  async (name) => {
    if (!isPublished) {
      const { code, output } = await publish();
      if (code !== 0) throw new Error(output);
      isPublished = true;
    }
    const application = readApplication(name);
    const { install, base = '' } = application;
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
    const seconds = Math.round((performance.now() - startedAt) / 1000);

    // Its own tests and its build pass, and what it builds serves the contract.
    await followReadme([{ commands: ['npm test', 'npm run build'] }], { folder, env });
    await withBackground('npm start', { folder, env }, async (url) => {
      const refused = await fetch(`${url}${base}/notes`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
      expect([refused.status, await refused.json()]).toMatchObject([400, { message: 'body/text is required' }]);
      expect((await fetch(`${url}/users/1`)).status).toBe(200);
    });
    const [first = 0, withServer = 0, withTool = 0] = sizes;
    rows.push(`| ${application.title} | ${seconds} | ${lines} | ${withServer - first} | ${withTool - withServer} |`);
  },
  15 * MINUTE,
);

/** Runs `redocly diff` as a process: its engine is published only bundled within the command line tool. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Document } from '@specwright/contract/document';
import type { Change } from './change.ts';

/**
 * Every rule but one. An operation's `security` replaces that of the document, and the engine compares each list only where it
 * stands: it reports one that repeats what it inherited, and misses one that is no longer empty. See security-rules.ts.
 */
const CONFIG = 'extends: [diff-recommended]\ndiff:\n  security-requirement-changed: off\n';

/** No telemetry, and no notices of updates. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };

/**
 * Every change between two documents.
 *
 * @throws Error with the output of the engine, if it cannot compare them.
 */
export async function redoclyDiff(base: Document, working: Document): Promise<Change[]> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const folder = await mkdtemp(join(tmpdir(), 'check-breaking-'));
  try {
    const file = (name: string) => join(folder, name);
    await writeFile(file('base.json'), JSON.stringify(base));
    await writeFile(file('working.json'), JSON.stringify(working));
    await writeFile(file('redocly.yaml'), CONFIG);
    const options = ['--format=json', '--fail-on=none', `--output=${file('changes.json')}`, `--config=${file('redocly.yaml')}`];
    await new Promise<void>((resolve, reject) => {
      const env = { ...process.env, ...QUIET, NODE_OPTIONS: '' };
      execFile(process.execPath, [cli, 'diff', file('base.json'), file('working.json'), ...options], { env }, (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Error(`redocly diff failed: ${stderr.trim()}`, { cause: error }));
      });
    });
    return (JSON.parse(await readFile(file('changes.json'), 'utf8')) as { changes: Change[] }).changes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

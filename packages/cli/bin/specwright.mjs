#!/usr/bin/env node
/** `specwright COMMAND ...`: runs one of the tools, with a loader for the TypeScript of the project that it is run in. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMMANDS = {
  generate: 'generate',
  dev: 'dev',
  lint: 'lint-spec',
  'lint-baseline': 'lint-baseline',
  'check-breaking': 'check-breaking',
  'check-schema': 'check-schema',
  schema: 'schema',
  migrate: 'migrate',
  'add-operation': 'add-operation',
  bundle: 'bundle',
  fuzz: 'fuzz',
  new: 'new-project',
};

const [command = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command)) {
  console.error(`usage: specwright ${Object.keys(COMMANDS).join(' | ')}`);
  process.exit(2);
}
const [source, built] = ['../src/NAME.ts', '../dist/NAME.js'].map((path) =>
  fileURLToPath(new URL(path.replace('NAME', COMMANDS[command]), import.meta.url)),
);
// In a checkout the sources run.
const fromSource = existsSync(source);
const { status } = spawnSync(
  process.execPath,
  [
    ...(fromSource ? ['--conditions=@specwright/source'] : []),
    '--import',
    import.meta.resolve('tsx'),
    fromSource ? source : built,
    ...args,
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);

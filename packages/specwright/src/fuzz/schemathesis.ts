/** Finds a way to run the pinned schemathesis: by uvx, by pipx, or from a virtual environment made here. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../project-config.ts';

/** Its packages with their versions, so that every run is the same; in the configuration folder. */
const REQUIREMENTS = 'fuzz-requirements.txt';
/** The oldest Python that it supports. */
const PYTHON = [3, 11] as const;

export interface SchemathesisCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** What runs it, for messages. */
  readonly from: string;
}

/**
 * Finds schemathesis, or installs it under `.cache/`, which takes half a minute the first time.
 *
 * @throws Error with what to install.
 */
export function findSchemathesis({ root, config }: Project): SchemathesisCommand {
  const file = join(config, REQUIREMENTS);
  const requirements = readFileSync(join(root, file), 'utf8');
  const version = /^schemathesis==(\S+)$/m.exec(requirements)?.[1];
  if (version === undefined) throw new Error(`${file} does not pin schemathesis: add a line such as schemathesis==4.32.5`);
  const spec = `schemathesis==${version}`;
  const problems: string[] = [];

  const candidates: SchemathesisCommand[] = [
    {
      command: 'uvx',
      args: ['--python', `>=${PYTHON.join('.')}`, '--with-requirements', join(root, file), '--from', spec, 'schemathesis'],
      env: {},
      version,
      from: 'uvx',
    },
    // The default Python of pipx may be too old, so it gets the one that was found.
    ...pythons().map((python) => ({
      command: 'pipx',
      args: ['run', '--python', python, '--spec', spec, 'schemathesis'],
      // It installs by pip or by uv, and no option works for both. Relative: a path with a space would be two.
      env: { PIP_CONSTRAINT: file, UV_CONSTRAINT: file },
      version,
      from: 'pipx',
    })),
  ];
  for (const candidate of candidates) {
    if (!runs(candidate.command, ['--version'])) continue;
    const result = spawnSync(candidate.command, [...candidate.args, '--version'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...candidate.env },
    });
    if (result.status === 0 && result.stdout.includes(version)) return candidate;
    problems.push(`${candidate.from} cannot run ${spec}: ${lastLine(result.stderr)}`);
  }

  const python = pythons()[0];
  if (python === undefined) {
    throw new Error(
      [
        ...problems,
        `schemathesis ${version} needs Python ${PYTHON.join('.')} or later, and none was found.`,
        'Install uv (https://docs.astral.sh/uv/), which brings its own Python; or a Python with its venv module:',
        '  Debian and Ubuntu: apt-get install python3 python3-venv    macOS: brew install python',
        'All other commands work without it.',
      ].join('\n'),
    );
  }
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const venv = join(root, '.cache', `schemathesis-${version}-${digest}`);
  const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
  // Written last: an unfinished environment is made again.
  const done = join(venv, 'installed');
  if (!existsSync(done)) {
    console.log(`installing schemathesis ${version} under .cache/`);
    rmSync(venv, { recursive: true, force: true });
    runOrThrow(python, ['-m', 'venv', venv], 'make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)');
    runOrThrow(
      join(bin, 'python'),
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', join(root, file)],
      'install it',
    );
    writeFileSync(done, '');
  }
  return { command: join(bin, 'schemathesis'), args: [], env: {}, version, from: 'a virtual environment under .cache/' };
}

/** The Pythons on this machine that are new enough, the usual names first. */
function pythons(): string[] {
  const check = `import sys; sys.exit(sys.version_info < (${PYTHON.join(', ')}))`;
  return ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'].filter((name) => runs(name, ['-c', check]));
}

const runs = (command: string, args: readonly string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function runOrThrow(command: string, args: readonly string[], purpose: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot ${purpose}:\n${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

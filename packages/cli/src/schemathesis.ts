/** Finds a way to run schemathesis, in the version that is pinned: by uvx, by pipx, or from a virtual environment made here. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** All its packages with their versions, so that every run is the same. */
const REQUIREMENTS = '.config/fuzz-requirements.txt';
/** What the pinned version runs on. */
const PYTHON = [3, 11] as const;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** What runs it, in words. */
  readonly from: string;
}

/**
 * Finds it, or installs it under `.cache/`, which takes half a minute the first time.
 *
 * @param root the checkout.
 * @throws Error that says what to install.
 */
export function findSchemathesis(root: string): Command {
  const requirements = readFileSync(join(root, REQUIREMENTS), 'utf8');
  const version = /^schemathesis==(\S+)$/m.exec(requirements)?.[1];
  if (version === undefined) throw new Error(`${REQUIREMENTS} does not pin schemathesis: add a line such as schemathesis==4.32.5`);
  const spec = `schemathesis==${version}`;
  const problems: string[] = [];

  const file = join(root, REQUIREMENTS);
  const candidates: Command[] = [
    {
      command: 'uvx',
      args: ['--python', `>=${PYTHON.join('.')}`, '--with-requirements', file, '--from', spec, 'schemathesis'],
      env: {},
      version,
      from: 'uvx',
    },
    // What pipx runs things with may be older than what they need, so it is told the Python that was found.
    ...pythons().map((python) => ({
      command: 'pipx',
      args: ['run', '--python', python, '--spec', spec, 'schemathesis'],
      // It installs by pip or by uv, and has no option that both understand. Relative: a path with a space would be two.
      env: { PIP_CONSTRAINT: REQUIREMENTS, UV_CONSTRAINT: REQUIREMENTS },
      version,
      from: 'pipx',
    })),
  ];
  for (const candidate of candidates) {
    if (!runs(candidate.command, ['--version'])) continue;
    const tried = spawnSync(candidate.command, [...candidate.args, '--version'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...candidate.env },
    });
    if (tried.status === 0 && tried.stdout.includes(version)) return candidate;
    problems.push(`${candidate.from} cannot run ${spec}: ${lastLine(tried.stderr)}`);
  }

  const python = pythons()[0];
  if (python === undefined) {
    throw new Error(
      [
        ...problems,
        `schemathesis ${version} needs Python ${PYTHON.join('.')} or later, and there is none.`,
        'Install uv (https://docs.astral.sh/uv/), which brings its own Python; or a Python with its venv module:',
        '  Debian and Ubuntu: apt-get install python3 python3-venv    macOS: brew install python',
        'Everything but this run works without it.',
      ].join('\n'),
    );
  }
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const venv = join(root, '.cache', `schemathesis-${version}-${digest}`);
  const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
  // Written last: an environment that was not finished is made anew.
  const done = join(venv, 'installed');
  if (!existsSync(done)) {
    console.log(`installing schemathesis ${version} under .cache/`);
    rmSync(venv, { recursive: true, force: true });
    must(python, ['-m', 'venv', venv], 'make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)');
    must(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', file], 'install it');
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

function must(command: string, args: readonly string[], what: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot ${what}:\n${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** What `npm run bench -- requests` has measured, as it is committed in bench/results. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { Operation } from '../operations.ts';
import type { Harness } from '../servers/servers.ts';

export interface Figure {
  readonly server: string;
  readonly operation: Operation;
  /** CPU of the server's process for a request, in µs: the least of all rounds, and their median. */
  readonly cpu: number;
  readonly median: number;
  /** Requests per second over loopback: the most of all rounds. */
  readonly perSecond?: number;
}

/** One run on one version of Node. */
export interface Run {
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memoryGiB: number; readonly system: string };
  /** Of the peers' packages. */
  readonly versions: Readonly<Record<string, string>>;
  readonly figures: Readonly<Partial<Record<Harness, readonly Figure[]>>>;
}

/** By major version of Node. */
export type Results = Readonly<Record<string, Run>>;

export const RESULTS = fileURLToPath(new URL('../../results/requests.json', import.meta.url));

export const major = (version: string): string => /^v?(\d+)/.exec(version)?.[1] ?? version;

export function describeRun(node: string, versions: Run['versions'], figures: Run['figures']): Run {
  return {
    date: new Date().toISOString(),
    commit: commitOf(),
    node,
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${process.platform} ${process.arch}`,
    },
    versions,
    figures,
  };
}

/** Of this server. */
const MEASURED = ['src', 'packages', 'generated', 'spec', 'package-lock.json'];

/** The last commit that changed what is measured; says so if there are changes beside it. */
function commitOf(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', ...MEASURED) !== '';
    return `${git('log', '-1', '--format=%h', '--abbrev=12', '--', ...MEASURED)}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

export function readJson<T>(file: string, missing: T): T {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : missing;
}

/** In the format that the lint gate asks for. */
export async function writeFormatted(file: string, text: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

/** Adds a run. It replaces the last one on the same version of Node, but for harnesses of the same commit that it did not measure. */
export async function saveRun(run: Run, file: string = RESULTS): Promise<Results> {
  const results = addRun(readJson<Results>(file, {}), run);
  await writeFormatted(file, JSON.stringify(results));
  return results;
}

export function addRun(results: Results, run: Run): Results {
  const last = results[major(run.node)];
  const isSame = last !== undefined && last.commit === run.commit && last.node === run.node && last.machine.cpu === run.machine.cpu;
  return { ...results, [major(run.node)]: isSame ? { ...run, figures: { ...last.figures, ...run.figures } } : run };
}

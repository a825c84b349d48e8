/** Finds scenarios by their file names, and runs them one after the other, each bounded in time. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { MAX_OTHERS_SHARE, type Figure, type Scenario, type ScenarioContext } from './scenario.ts';

/** How long one clean-up of a scenario may take, in ms. */
const CLEAN_UP_TIMEOUT_MS = 30_000;
/** How long a scenario may take to end after its time is over, in ms. */
const ABORT_GRACE_MS = 2000;
const NOT_SCENARIOS = ['run.ts', 'runner.slow.ts'];

/** One line of the table. */
export interface Row extends Figure {
  readonly scenario: string;
  readonly ok: boolean;
  /** Whether other processes left too little of the machine to tell whether it is what is allowed. */
  readonly isUnmeasurable?: boolean;
  /** Of an error, instead of a value. */
  readonly error?: string;
}

export interface RunOptions {
  readonly folder: string;
  readonly names: readonly string[];
  readonly rounds?: number | undefined;
  readonly checkout?: string | undefined;
  readonly progress?: (text: string) => void;
}

/** The names of the scenarios in a folder, in alphabetical order. */
export async function listScenarios(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !NOT_SCENARIOS.includes(file));
  return files.map((file) => file.slice(0, -'.ts'.length)).sort();
}

export async function loadScenario(folder: string, name: string): Promise<Scenario> {
  const { scenario } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as { scenario?: Scenario };
  if (scenario === undefined) throw new Error(`${name}.ts exports no scenario`);
  return scenario;
}

/** @returns the rows of all scenarios; that of an error or of a time that is over has no value. */
export async function runScenarios({ folder, names, progress = () => undefined, ...given }: RunOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of names) {
    const add = (figure: Figure, error?: string) => {
      const ok = error === undefined && isAllowed(figure);
      const isUnmeasurable = !ok && error === undefined && (figure.othersShare ?? 0) > MAX_OTHERS_SHARE;
      rows.push({ scenario: name, ...figure, ok, ...(isUnmeasurable && { isUnmeasurable }), ...(error !== undefined && { error }) });
    };
    const before = rows.length;
    await runScenario(await loadScenario(folder, name), {
      measure: add,
      fail: (measured, error) => add({ measured, value: NaN }, error),
      progress: (text) => progress(`${name}: ${text}`),
      rounds: given.rounds,
      checkout: given.checkout,
    });
    if (rows.length === before) add({ measured: 'figures', value: 0, min: 1 });
  }
  return rows;
}

type Hooks = Omit<ScenarioContext, 'defer' | 'signal' | 'rounds'> & {
  /** If others than the usual ones are asked for. */
  readonly rounds: number | undefined;
  readonly fail: (measured: string, error: string) => void;
};

async function runScenario(
  { run, timeoutMs: usualMs, rounds: usual = 1 }: Scenario,
  { fail, rounds = usual, ...hooks }: Hooks,
): Promise<void> {
  const timeoutMs = usualMs * Math.max(1, rounds / usual);
  const cleanUps: (() => unknown)[] = [];
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error(`not done after ${timeoutMs / 1000} s`)), timeoutMs);
  let isOpen = true;
  const context: ScenarioContext = {
    ...hooks,
    rounds,
    // What a scenario measures after its time is over is not of its rows.
    measure: (figure) => isOpen && hooks.measure(figure),
    defer: (cleanUp) => void cleanUps.push(cleanUp),
    signal: over.signal,
  };
  hooks.progress('starts');
  const running = run(context);
  const aborted = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason as Error));
  });
  await Promise.race([running, aborted]).catch((error: unknown) => fail('ended without an error', messageOf(error)));
  isOpen = false;
  clearTimeout(timer);
  hooks.progress('cleans up');
  // Stopped where it is, if it can be: what it still starts could not be ended.
  if (over.signal.aborted) await Promise.race([running.catch(() => undefined), sleep(ABORT_GRACE_MS)]);
  for (const cleanUp of cleanUps.reverse()) {
    const late = sleep(CLEAN_UP_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`not done after ${CLEAN_UP_TIMEOUT_MS / 1000} s`);
    });
    await Promise.race([Promise.resolve().then(cleanUp), late]).catch((error: unknown) => fail('cleaned up', messageOf(error)));
  }
}

/** NaN never is. */
function isAllowed({ value, max = Infinity, min = -Infinity }: Figure): boolean {
  return value <= max && value >= min;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

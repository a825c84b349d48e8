/** The gates of a project: what `.config/gates.yaml` names. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from '../libraries/zod.ts';

/** `--group all`: the gates of every group, and those of none. */
export const ALL_GROUPS = 'all';

const GATE = z.strictObject({
  name: z.string().min(1),
  /** The command; words are separated by spaces. */
  run: z.string().min(1),
  /** It runs jest: its results are read, and a test file that failed beside others is run again alone. */
  jest: z.boolean().default(false),
  /** It runs only where this group is asked for (`specwright gates --group NAME`). Other runs name it as not run. */
  group: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/)
    .refine((name) => name !== ALL_GROUPS, '`all` means every gate')
    .optional(),
  /** Its processor time. The run fails if all gates together take a fifth more. */
  cpuSeconds: z.number().positive().optional(),
  /** A Markdown file that it writes in the folder of the reports, for the summary and the comment. */
  report: z
    .string()
    .regex(/^[\w-]+\.md$/)
    .optional(),
  /** `git`: it is skipped where the folder is no checkout. */
  needs: z.enum(['git']).optional(),
  /** What to do instead where it is skipped. */
  otherwise: z.string().optional(),
});

export type Gate = Readonly<z.output<typeof GATE>>;

/** @throws Error with every field that is not valid. */
export function readGates(file: string): readonly Gate[] {
  const parsed = z
    .array(GATE)
    .min(1)
    .safeParse(parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('/')}: ${message}`);
  throw new Error(`${file} is not valid\n${problems.join('\n')}`);
}

/** So much more than recorded fails the run. */
const MAX_INCREASE = 0.2;
/** What the work of a calibration takes on the machine that the times are recorded for. */
const REFERENCE_MS = 60;
const INTERVAL_MS = 15_000;
const ROUNDS = 60_000;

interface TimedResult {
  readonly gate: Pick<Gate, 'name' | 'cpuSeconds'>;
  readonly code: number | null;
  readonly cpuSeconds: number | undefined;
}

export interface ProcessorTime {
  /** Of the gates that have a recorded time, in seconds of the machine that they are recorded for. */
  readonly measured: number;
  /** 0 if none has one. */
  readonly recorded: number;
  readonly gates: readonly { readonly name: string; readonly measured: number; readonly recorded: number | undefined }[];
}

/**
 * Measures the machine now, and while the gates run: a neighbour that takes the cache and half of a core makes them slower too.
 *
 * @returns ends it. It returns how many times as long as the reference the machine takes.
 */
export function startCalibration(): () => number {
  const samples = [timeOfWork()];
  const timer = setInterval(() => samples.push(timeOfWork()), INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    const sorted = samples.sort((a, b) => a - b);
    return (sorted[Math.floor(sorted.length / 2)] ?? REFERENCE_MS) / REFERENCE_MS;
  };
}

/** Objects, texts and maps, of which the gates are made. @returns its processor time in ms. */
function timeOfWork(): number {
  const began = process.cpuUsage();
  const counts = new Map<string, number>();
  for (let i = 0; i < ROUNDS; i++) {
    const { key } = JSON.parse(JSON.stringify({ key: `key-${i % 1000}`, list: [i, i + 1] })) as { key: string };
    counts.set(key, (counts.get(key) ?? 0) + key.length);
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** @param results those of gates that failed or were not measured do not count. @param slowness of `startCalibration`. */
export function compareProcessorTime(results: readonly TimedResult[], slowness: number): ProcessorTime {
  const gates = results.flatMap(({ gate, code, cpuSeconds }) =>
    cpuSeconds === undefined || code !== 0 ? [] : [{ name: gate.name, measured: cpuSeconds / slowness, recorded: gate.cpuSeconds }],
  );
  const withRecord = gates.filter(({ recorded }) => recorded !== undefined);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { measured: sum(withRecord.map((gate) => gate.measured)), recorded: sum(withRecord.map(({ recorded = 0 }) => recorded)), gates };
}

/** 0.1 is a tenth more than recorded. */
const changeOf = ({ measured, recorded }: ProcessorTime): number => (recorded === 0 ? 0 : measured / recorded - 1);

/** @returns one line that says how it stands, and those of the gates, which took most first. */
export function formatProcessorTime(time: ProcessorTime): string[] {
  const change = Math.round(changeOf(time) * 100);
  const compared = `${Math.round(time.measured)} s, recorded ${time.recorded} s (${change < 0 ? '' : '+'}${change} %)`;
  return [
    `processor time: ${time.recorded === 0 ? 'not recorded, which cpuSeconds in .config/gates.yaml does' : compared}`,
    ...[...time.gates]
      .sort((a, b) => b.measured - a.measured)
      .map(
        ({ name, measured, recorded }) => `  ${name}: ${Math.round(measured)} s${recorded === undefined ? '' : `, recorded ${recorded} s`}`,
      ),
  ];
}

/** @returns why the run fails, if it does. */
export function processorTimeProblem(time: ProcessorTime): string | undefined {
  const change = changeOf(time);
  return change > MAX_INCREASE
    ? `the gates take ${Math.round(change * 100)} % more processor time than .config/gates.yaml records: make the slowest quicker, or record the new cpuSeconds with the reason`
    : undefined;
}

/** A command that writes the processor time of itself and its children to file descriptor 3, as `times` of the shell does. */
export const timed = (command: readonly string[]): [command: string, args: string[]] => [
  'sh',
  ['-c', '"$@" 3>&-; code=$?; times >&3; exit "$code"', 'sh', ...command],
];

/** @param times as the shell prints them: user and system of the shell, then of its children. @returns seconds of both. */
export function parseTimes(times: string): number | undefined {
  const values = [...times.matchAll(/\b(\d+)m([\d.,]+)s/g)].map(
    ([, minutes, seconds = '']) => Number(minutes) * 60 + Number(seconds.replace(',', '.')),
  );
  return values.length === 4 ? values.reduce((total, value) => total + value, 0) : undefined;
}

/** Whether what was measured costs more than it did: a confidence interval of the mean of ratios, for which processes are added until it is clear. */

/** Ratios of one cost to the former one, of one process each. */
export interface Cost {
  readonly title: string;
  readonly ratios: readonly number[];
}

export interface Verdict {
  readonly title: string;
  /** What it costs more, 0.04 for 4 %, and half the width of the interval, with 95 % on either side. */
  readonly change: number;
  readonly error: number;
  readonly state: 'ok' | 'worse' | 'unclear' | 'new';
}

/** With fewer processes the deviation among them is not known. */
export const MIN_PROCESSES = 5;
/** Student's t of 95 %, one-sided, by degrees of freedom from 4: https://www.itl.nist.gov/div898/handbook/eda/section3/eda3672.htm */
const STUDENT_T = [2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.74, 1.734, 1.729];
/** For more of them. */
const NORMAL = 1.725;

/** @param limit what it may cost more: 0.04 is 4 %. @param isLast no process is added: what is unclear goes by its mean. */
export function judge({ title, ratios }: Cost, limit: number, isLast: boolean): Verdict {
  const logs = ratios.map(Math.log);
  const n = logs.length;
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (n - 1));
  const error = ((STUDENT_T[n - MIN_PROCESSES] ?? NORMAL) * deviation) / Math.sqrt(n);
  const most = Math.log(1 + limit);
  if (Number.isNaN(mean)) return { title, change: NaN, error: NaN, state: 'new' };
  const isClear = n >= MIN_PROCESSES && Math.abs(mean - most) > error;
  const state = isClear || isLast ? (mean < most ? 'ok' : 'worse') : 'unclear';
  return { title, change: Math.exp(mean) - 1, error, state };
}

export function formatVerdict({ title, change, error, state }: Verdict): string {
  const percent = (value: number) => (value * 100).toFixed(1);
  return `${state.padEnd(7)}  ${title.padEnd(48)} ${change < 0 ? '' : '+'}${percent(change)} % ± ${percent(error)}`;
}

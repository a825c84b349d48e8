/** A thing that `specwright doctor` looks at: what it found, and the one next step if that is amiss. It needs no package. */
import { styleText } from 'node:util';

export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly fix?: string;
}

export interface Check {
  readonly name: string;
  /** Changes nothing. What it throws is a problem. */
  readonly run: () => Promise<CheckResult> | CheckResult;
}

export interface NamedResult extends CheckResult {
  readonly name: string;
}

export const ok = (message: string): CheckResult => ({ state: 'ok', message });
export const warning = (message: string, fix: string): CheckResult => ({ state: 'warning', message, fix });
export const problem = (message: string, fix: string): CheckResult => ({ state: 'problem', message, fix });

/** Runs all at once. @returns their results in the same order. */
export const runChecks = (checks: readonly Check[]): Promise<NamedResult[]> =>
  Promise.all(
    checks.map(async ({ name, run }) => {
      try {
        return { name, ...(await run()) };
      } catch (error) {
        return { name, ...problemOf(error) };
      }
    }),
  );

/** The first line of the message says what is wrong, the others what to do. */
export function problemOf(error: unknown): CheckResult {
  const [message = '', ...fix] = (error as Error).message.split('\n');
  return problem(message.replace(/:$/, ''), fix.map((line) => line.trim()).join('; '));
}

const COLORS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

export function formatResults(results: readonly NamedResult[], hasColors: boolean): string[] {
  const width = Math.max(...results.map(({ name }) => name.length));
  const paint = (state: CheckResult['state'], text: string) => (hasColors ? styleText(COLORS[state], text) : text);
  return results.map(({ name, state, message, fix = '' }) => {
    const text = [`${name.padEnd(width)}  ${message}`, fix].filter((part) => part !== '').join(': ');
    return `${paint(state, state.padEnd('problem'.length))}  ${text}`;
  });
}

/** What to do first: about a problem, else about a warning. */
export function nextStep(results: readonly NamedResult[]): string {
  const worst = results.find(({ state }) => state === 'problem') ?? results.find(({ state }) => state === 'warning');
  return worst === undefined ? 'nothing to fix' : `next: ${worst.fix === undefined || worst.fix === '' ? worst.message : worst.fix}`;
}

/** A thing that `specwright doctor` looks at: what it found, and the one next step if that is amiss. It needs no package. */
import { styleText } from 'node:util';

export interface Finding {
  readonly state: 'ok' | 'warning' | 'fault';
  /** What is so, in one line. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

export interface Check {
  readonly name: string;
  /** Changes nothing. What it throws is a fault. */
  readonly run: () => Promise<Finding> | Finding;
}

export interface Result extends Finding {
  readonly name: string;
}

export const ok = (message: string): Finding => ({ state: 'ok', message });
export const warning = (message: string, fix: string): Finding => ({ state: 'warning', message, fix });
export const fault = (message: string, fix: string): Finding => ({ state: 'fault', message, fix });

/** Runs all at once. @returns their results in the same order. */
export const runChecks = (checks: readonly Check[]): Promise<Result[]> =>
  Promise.all(
    checks.map(async ({ name, run }) => {
      try {
        return { name, ...(await run()) };
      } catch (error) {
        return { name, ...faultOf(error) };
      }
    }),
  );

/** The first line of the message says what is wrong, the others what to do. */
export function faultOf(error: unknown): Finding {
  const [message = '', ...fix] = (error as Error).message.split('\n');
  return fault(message.replace(/:$/, ''), fix.map((line) => line.trim()).join('; '));
}

const COLORS = { ok: 'green', warning: 'yellow', fault: 'red' } as const;

/** One line for each. */
export function formatResults(results: readonly Result[], hasColors: boolean): string[] {
  const width = Math.max(...results.map(({ name }) => name.length));
  const paint = (state: Finding['state'], text: string) => (hasColors ? styleText(COLORS[state], text) : text);
  return results.map(({ name, state, message, fix = '' }) => {
    const text = [`${name.padEnd(width)}  ${message}`, fix].filter((part) => part !== '').join(': ');
    return `${paint(state, state.padEnd(7))}  ${text}`;
  });
}

/** What to do first: about a fault, else about a warning. */
export function nextStep(results: readonly Result[]): string {
  const worst = results.find(({ state }) => state === 'fault') ?? results.find(({ state }) => state === 'warning');
  return worst === undefined ? 'nothing to fix' : `next: ${worst.fix === undefined || worst.fix === '' ? worst.message : worst.fix}`;
}

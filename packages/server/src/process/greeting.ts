/** What a person who has started a service is told: where it listens, and what to do next. */
import { printable } from '@specwright/contract';

/** A name and what it is: `['API key', 'kept in .data/demo-key']`. */
type Row = readonly [name: string, text: string];

export interface Greeting {
  readonly title: string;
  readonly version: string;
  readonly port: number;
  /** Why requests are refused for now, and what to do about it. */
  readonly problem?: string | undefined;
  /** Shown wherever the service is started. */
  readonly facts?: readonly Row[];
  /** Shown in a terminal alone: what to do next. */
  readonly hints?: readonly Row[];
}

export interface GreetingContext {
  readonly isTerminal: boolean;
  readonly hasDocs: boolean;
}

/** `listens on URL` is in its first line: the development loop and tests wait for that. */
export function formatGreeting(
  { title, version, port, problem, facts = [], hints = [] }: Greeting,
  { isTerminal, hasDocs }: GreetingContext,
): string {
  const address = `http://localhost:${port}`;
  const first = `${printable(`${title} ${version}`)} listens on ${address}\n`;
  if (!isTerminal) return first + facts.map(([name, text]) => `${name}: ${text}\n`).join('');
  const contract: Row = hasDocs ? ['docs', `${address}/docs`] : ['contract', `${address}/openapi.yaml`];
  const rows = [contract, ...facts, ...(problem === undefined ? hints : [['not ready', problem] as const])];
  const width = Math.max(...rows.map(([name]) => name.length));
  return `\n${first}\n${rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join('')}\n`;
}

/** The figures of a run: as tables, and as the ratios that the gate compares. */
import type { Ratio } from '../support/gate.ts';
import { formatNumber, table } from '../support/report.ts';
import { OPERATION_TITLES, OPERATIONS, type Operation } from './operations.ts';
import { BARE, OWN, SERVERS, VALIDATOR, type Harness } from './servers.ts';

export interface Rounds {
  readonly rounds: number;
  readonly onRound: (round: number) => void;
}

export interface Figure {
  readonly server: string;
  readonly operation: Operation;
  /** CPU of the server's process for a request, in µs: the least of all rounds, because what else the machine does can only add to it. */
  readonly cpu: number;
  /** Requests per second over loopback: the most of all rounds. */
  readonly perSecond?: number;
}

export const figureOf = (server: string, operation: Operation, cpus: readonly number[]): Figure => ({
  server,
  operation,
  cpu: Math.min(...cpus),
});

const HARNESS_TITLES: Readonly<Record<Harness, string>> = {
  memory: 'In memory, constant handlers, log off',
  loopback: 'Over loopback, 32 connections, constant handlers, log off',
  postgres: 'Over loopback, 32 connections, one row of PostgreSQL read by its key',
};

/** The share of the log in the CPU of a request, 0 to 1; `undefined` for a server that was not measured without it too. */
export function logShare(figures: readonly Figure[], { server, operation, cpu }: Figure): number | undefined {
  const withoutLog = SERVERS.find(({ id }) => id === server)?.withoutLog;
  const silent = figures.find((figure) => figure.server === withoutLog && figure.operation === operation);
  return silent && (cpu - silent.cpu) / cpu;
}

export function formatFigures(harness: Harness, figures: readonly Figure[]): string[] {
  const operations = OPERATIONS.filter((operation) => figures.some((figure) => figure.operation === operation));
  const hasRates = figures.some(({ perSecond }) => perSecond !== undefined);
  const of = (server: string, operation: Operation) => figures.find((one) => one.server === server && one.operation === operation);
  const cellsOf = (server: string, operation: Operation): string[] => {
    const figure = of(server, operation);
    if (figure === undefined) return [];
    const log = logShare(figures, figure);
    return [
      formatNumber(figure.cpu),
      (figure.cpu / (of(BARE, operation)?.cpu ?? NaN)).toFixed(1),
      log === undefined ? '' : `${(log * 100).toFixed(0)} %`,
      ...(hasRates ? [(figure.perSecond ?? NaN).toFixed(0)] : []),
    ];
  };
  const head = operations.flatMap((operation) => [
    `${OPERATION_TITLES[operation]}, µs`,
    'times node:http',
    'of it the log',
    ...(hasRates ? ['per second'] : []),
  ]);
  const servers = SERVERS.filter(({ id }) => figures.some(({ server }) => server === id));
  const rows = servers.map(({ id, title }) => [title, ...operations.flatMap((operation) => cellsOf(id, operation))]);
  return [`## ${HARNESS_TITLES[harness]}`, table(['', ...head], rows)];
}

/**
 * Beside bare node:http two runs on a busy machine differ by less than half of its slack, so that a regression of 20 % is seen; beside the
 * validator, whose batches take longer than a turn of a busy processor, by more.
 */
const PEERS = [
  { id: BARE, title: 'node:http', slack: 0.15 },
  { id: VALIDATOR, title: 'Express + express-openapi-validator', slack: 0.3 },
];

/** What the gate needs to be measured. */
export const CHECKED_SERVERS: readonly string[] = [BARE, OWN, VALIDATOR];

/** @throws Error if a server is missing. */
export function ratiosOf(figures: readonly Figure[]): Ratio[] {
  const cpuOf = (server: string, operation: Operation): number => {
    const figure = figures.find((candidate) => candidate.server === server && candidate.operation === operation);
    if (figure === undefined) throw new Error(`no figure of ${server} for ${operation}`);
    return figure.cpu;
  };
  return OPERATIONS.flatMap((operation) =>
    PEERS.map(({ id, title, slack }) => ({
      name: `${OPERATION_TITLES[operation]} beside ${title}`,
      value: cpuOf(OWN, operation) / cpuOf(id, operation),
      slack,
    })),
  );
}

/** The gate: what a request costs beside bare node:http and beside Express with its validator, compared with the committed ratios. */
import { fileURLToPath } from 'node:url';
import { OPERATIONS, type Operation } from '../operations.ts';
import { major, type Figure } from './results.ts';
import { BARE, OWN, VALIDATOR } from '../servers/servers.ts';

/** This server's CPU divided by that of another in the same run. Less is better. */
export interface Ratios {
  readonly bare: number;
  readonly validator: number;
}

export type OperationRatios = Readonly<Record<Operation, Ratios>>;

/** By major version of Node. */
export type Baseline = Readonly<Record<string, OperationRatios>>;

export const BASELINE = fileURLToPath(new URL('../../results/baseline.json', import.meta.url));

/**
 * How much worse than the baseline a ratio may be. Beside bare node:http two runs on a busy machine differ by less than half of it, so that
 * a regression of 20 % is seen; beside the validator, whose batches take longer than a turn of a busy processor, by more.
 */
export const SLACK = { bare: 0.15, validator: 0.3 } as const;

const PEERS = { bare: BARE, validator: VALIDATOR } as const;
const TITLES = { bare: 'node:http', validator: 'Express + express-openapi-validator' } as const;
type Peer = keyof typeof PEERS;

/** What the gate needs to be measured. */
export const CHECKED_SERVERS: readonly string[] = [BARE, OWN, VALIDATOR];

/** @throws Error if a server is missing. */
export function ratiosOf(figures: readonly Figure[]): OperationRatios {
  const cpu = (server: string, operation: Operation): number => {
    const figure = figures.find((candidate) => candidate.server === server && candidate.operation === operation);
    if (figure === undefined) throw new Error(`no figure of ${server} for ${operation}`);
    return figure.cpu;
  };
  const ratio = (operation: Operation, peer: Peer) => Math.round((cpu(OWN, operation) / cpu(PEERS[peer], operation)) * 1000) / 1000;
  const ratios = (operation: Operation): Ratios => ({ bare: ratio(operation, 'bare'), validator: ratio(operation, 'validator') });
  return { getPet: ratios('getPet'), createPet: ratios('createPet') };
}

export interface Comparison {
  readonly operation: Operation;
  readonly peer: string;
  /** The greatest `change` that passes. */
  readonly slack: number;
  readonly baseline: number;
  readonly measured: number;
  /** measured / baseline - 1. */
  readonly change: number;
}

export function compareRatios(measured: OperationRatios, baseline: OperationRatios): Comparison[] {
  return OPERATIONS.flatMap((operation) =>
    (Object.keys(PEERS) as Peer[]).map((peer) => {
      const [now, before] = [measured[operation][peer], baseline[operation][peer]];
      return { operation, peer: TITLES[peer], slack: SLACK[peer], baseline: before, measured: now, change: now / before - 1 };
    }),
  );
}

export const isWorse = ({ change, slack }: Comparison): boolean => change > slack;
export const isBetter = ({ change, slack }: Comparison): boolean => change < -slack;

/** @throws Error, with the command that records one, if there is no baseline for this version of Node. */
export function baselineFor(baseline: Baseline, node: string): OperationRatios {
  const ratios = baseline[major(node)];
  if (ratios === undefined)
    throw new Error(
      `There is no baseline for Node ${major(node)}. Record one: npm run bench -- requests --set-baseline --node ${major(node)}`,
    );
  return ratios;
}

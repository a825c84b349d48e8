/** What is served beside the contract: probes, metrics and the contract itself, each by its path. */
import type { Contract } from '@specwright/contract';
import type { Step } from '../pipeline/step.ts';

export const METRICS_PATH = '/metrics';

/** By path; each answers GET and HEAD. */
export type Endpoints = ReadonlyMap<string, Step>;

/** A contract of the server, and the path below which it is served. */
export interface ServedContract extends Pick<Contract, 'title' | 'version'> {
  readonly base: string;
}

/** What the steps that read bodies are given, and which fields of an exchange they set. */
import type { ContractOperation } from '@specwright/contract';
import type { ExchangeLifecycle } from '../exchange-lifecycle.ts';
import type { BodyBudget } from './body-budget.ts';
import type { BodyStreams } from './stream-body.ts';

export interface BodyOptions {
  /** The largest body without `x-body-limit`, in bytes after decompression. */
  readonly maxBodyBytes: number;
  readonly lifecycle: Pick<ExchangeLifecycle, 'awaitClient' | 'received' | 'renew'>;
  readonly budget: BodyBudget;
  /** Of the bytes of files on disk. */
  readonly spoolBudget: BodyBudget;
  /** Loaded when one is needed. */
  readonly streams: () => Promise<BodyStreams>;
}

export type ParsedBody = 'type' | 'body' | 'incoming';

/** Whether bodies of the operation may be streams, items or multipart, whose modules are loaded for them. */
export const hasStreamedBodies = ({ body, itemTypes, multipart }: Pick<ContractOperation, 'body' | 'itemTypes' | 'multipart'>): boolean =>
  multipart !== undefined || itemTypes.length > 0 || (body?.streams ?? []).length > 0;

/** What the steps that read bodies are given, and which fields of an exchange they set. */
import { DEFAULT_MAX_BODY_BYTES, type ContractOperation } from '@specwright/contract';
import { Deadlines } from '@specwright/contract/runtime';
import type { ExchangeLifecycle } from '../exchange-lifecycle.ts';
import type { BodyBudget } from './body-budget.ts';
import type { IdleUpload } from './upload-stream.ts';

/** How long a client may send nothing while the handler waits for it, in ms. */
const UPLOAD_IDLE_MS = 30_000;

export interface BodyOptions {
  /** The largest body without `x-body-limit`, in bytes after decompression. */
  readonly maxBodyBytes: number;
  readonly lifecycle: Pick<ExchangeLifecycle, 'awaitClient' | 'received' | 'renew' | 'resume'>;
  readonly budget: BodyBudget;
  /** Of the bytes of files on disk. */
  readonly spoolBudget: BodyBudget;
  readonly idle: Deadlines<IdleUpload>;
}

export const createBodyOptions = (
  maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  budget: BodyBudget,
  spoolBudget: BodyBudget,
  lifecycle: ExchangeLifecycle,
): BodyOptions => ({
  maxBodyBytes,
  lifecycle,
  budget,
  spoolBudget,
  idle: new Deadlines<IdleUpload>(UPLOAD_IDLE_MS, (upload) => upload.expire()),
});

export type ParsedBody = 'type' | 'body' | 'incoming';

/** Whether bodies of the operation may be streams, items or multipart, whose modules are loaded for them. */
export const hasStreamedBodies = ({ body, itemTypes, multipart }: Pick<ContractOperation, 'body' | 'itemTypes' | 'multipart'>): boolean =>
  multipart !== undefined || itemTypes.length > 0 || (body?.streams ?? []).length > 0;

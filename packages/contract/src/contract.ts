/** A contract that can be served: what is computed of a document. */
import type { Document } from './document/openapi.ts';
import type { PlanTable } from './extensions/plans.ts';
import type { OperationValidators } from './operation-validators.ts';
import type { ContractOutgoing } from './outgoing/outgoing-validators.ts';
import type { Operation } from './reading/operation-table.ts';
import type { SourceDocument } from './reading/source-document.ts';
import type { MultipartParts } from './requests/multipart/multipart-parts.ts';
import type { RequiredScheme } from './requests/security-requirements.ts';
import type { ErrorBody } from './responses/error-body.ts';
import type { StandardSchema } from './standard-schema.ts';
import type { ContractTypes } from './types/contract-types.ts';

export interface ContractOperation extends Operation, OperationValidators {
  readonly id: string;
  readonly requirements: readonly (readonly RequiredScheme[])[];
  /** The paths of its servers' URLs: it is served below each of them, and at the root. */
  readonly basePaths: readonly string[];
  readonly headerParameters: readonly string[];
  /** Whether the header `Idempotency-Key` is one of its parameters. Never, for a method that is safe. */
  readonly acceptsIdempotencyKey: boolean;
  /** `x-body-limit`, in bytes, if the document has it. */
  readonly bodyLimit: number | undefined;
  /** Whether one of its responses is a sequence of declared items. */
  readonly hasItems: boolean;
  /** The media types of its request whose items the handler gets one by one. */
  readonly itemTypes: readonly string[];
  /** How many bytes a streamed body of a type may have, by its schema. */
  readonly streamLengths: (type: string) => { readonly minLength: number; readonly maxLength: number };
  readonly multipart: MultipartParts | undefined;
  readonly errorBody: (status: number) => ErrorBody;
  /** Which status a refusal with 400, 413, 415 or 422 has: one that the operation declares for it, else the same. */
  readonly refusalStatuses: ReadonlyMap<number, number>;
}

/** A contract that can be served. `T` are its types, which handlers have to fit. */
export interface Contract<T extends ContractTypes = ContractTypes> {
  readonly types?: T;
  readonly file: string;
  readonly title: string;
  readonly version: string;
  readonly operations: readonly ContractOperation[];
  /** The ids of the operations of the document that are not served (`omit` of `loadContract`), and may have handlers all the same. */
  readonly omitted: ReadonlySet<string>;
  /** The named schemas of the document, as validators of Standard Schema: of bodies of requests, for forms, queues and other routers. */
  readonly schemas: { readonly [Name in keyof T['schemas']]: StandardSchema<T['schemas'][Name]> };
  /** What the service sends, by name: webhooks and callbacks. */
  readonly outgoing: ReadonlyMap<string, ContractOutgoing>;
  /** The document with `x-operation-defaults` applied and without the operations that are not served, as clients and their tools get it. */
  readonly published: Document;
  /** Its model: schemas are JSON Schema 2020-12, whatever version of OpenAPI it is written in. */
  readonly document: Document;
  /** The document as YAML, or JSON, which is YAML too: the text of the file, unless it has operation defaults, or operations that are not served. */
  readonly toYaml: () => string;
  readonly rateLimitPlans: PlanTable | undefined;
  /** `date`: its moments are `Date` in handlers; for `openDatabase`, whose rows have them then too. */
  readonly dates: 'date' | undefined;
  readonly errorBody: (status: number) => ErrorBody;
  /**
   * Compiles all schemas, so that no request has to wait for it. Servers do it in idle time once they listen.
   *
   * @param signal ends it; operations that are not compiled yet are compiled for their first request.
   */
  readonly compileAhead: (signal?: AbortSignal) => Promise<void>;
}

/** What was generated from the document: `contract` of `generated/contract.ts`. */
export interface GeneratedContract<T extends ContractTypes> {
  readonly operations: T['table'];
  /** SHA-256 of the document's content, in hex. */
  readonly digest: string;
  /** `x-rate-limit-plans`; `null` if the document has none. */
  readonly rateLimitPlans: T['rateLimitPlans'];
  /** `date`: texts of format date-time are `Date` in handlers (`specwright.dates` in package.json). */
  readonly dates?: 'date';
}

export interface ServedDocument {
  readonly file: string;
  readonly published: Document;
  /** The text of the file, if the document was not changed since it was read there. */
  readonly toYaml: (() => string) | undefined;
  /** As `GeneratedContract` has it. */
  readonly dates: 'date' | undefined;
}

export const servedBy = ({
  file,
  published,
  source,
  text,
  dates,
}: Pick<SourceDocument, 'file' | 'source' | 'published' | 'text' | 'dates'>): ServedDocument => ({
  file,
  published,
  dates,
  toYaml: text === source ? () => source : undefined,
});

/** Makes a contract of a document: its operations, with their validators. Nothing is compiled yet. */
import {
  listOperations,
  type Document,
  type DocumentOperation,
  type Server,
  acceptsIdempotencyKey,
  headerParameters,
} from './document/openapi.ts';
import type { DocumentModules } from './document-modules.ts';
import type * as Omitting from './document/without-operations.ts';
import { bodyLimitOf } from './extensions/body-limit.ts';
import type { PlanTable } from './extensions/plans.ts';
import type { Contract, ContractOperation, ServedDocument } from './contract.ts';
import { createOperationValidators, type OperationValidators } from './operation-validators.ts';
import type * as Outgoing from './outgoing/outgoing-validators.ts';
import { formatYaml } from './reading/load-yaml.ts';
import type { Operation, OperationTable } from './reading/operation-table.ts';
import { streamLengths } from './requests/declared-bodies.ts';
import { securityRequirementsOf } from './requests/security-requirements.ts';
import { createErrorBodies } from './responses/error-body.ts';
import { refusalStatuses } from './responses/refusal-statuses.ts';
import { buildModel, withDates } from './schema/build-model.ts';
import { runWhenIdle } from './schema/run-in-slices.ts';
import { createCompiler } from './schema/schema-compiler.ts';
import { standardSchemas } from './standard-schema.ts';
import type { ContractTypes } from './types/contract-types.ts';

/** What few documents need, loaded for those. */
export interface ContractModules extends DocumentModules {
  /** For one that sends something by its contract. */
  readonly createOutgoing?: typeof Outgoing.createOutgoing | undefined;
  /** For one of which some operations are omitted. */
  readonly withoutOperations?: typeof Omitting.withoutOperations | undefined;
}

export function toContract<T extends ContractTypes>(
  { file, published: whole, toYaml, dates }: ServedDocument,
  table: OperationTable,
  modules: ContractModules,
  omitted: ReadonlySet<string> = new Set(),
): Contract<T> {
  const { createOutgoing, withoutOperations = same, multipart, itemBodies } = modules;
  const published = withoutOperations(whole, omitted);
  const model = buildModel(withDates(whole, dates), modules);
  const document = withoutOperations(model, omitted);
  // Of the whole document, so that what it declares to send stays, whatever is served.
  const validated = multipart?.withFieldSchemas(model) ?? model;
  const compileRequest = createCompiler(validated, modules, 'request');
  const compileResponse = createCompiler(validated, modules, 'response', 'required');
  const validatorsOf = createOperationValidators(validated, modules, compileRequest, compileResponse);
  const validators = new Map(listOperations(validated).map((operation) => [operation.id, validatorsOf(operation)]));
  const outgoing = createOutgoing?.(validated, compileResponse) ?? [];
  const errorBodyOf = createErrorBodies(document, modules);
  const operations = listOperations(document).map((operation): ContractOperation => {
    return Object.assign(validators.get(operation.id) as OperationValidators, {
      ...(table[operation.id] as Operation),
      id: operation.id,
      requirements: securityRequirementsOf(document, operation),
      basePaths: basePaths(document, operation),
      headerParameters: headerParameters(document, operation),
      acceptsIdempotencyKey: acceptsIdempotencyKey(document, operation),
      bodyLimit: bodyLimitOf(document, operation.operation),
      hasItems: modules.sentItems?.hasItems(document, operation) === true,
      itemTypes: itemBodies?.itemBodiesOf(document, operation).map(({ type }) => type) ?? [],
      streamLengths: (type: string) => streamLengths(document, operation, type),
      multipart: multipart?.multipartPartsOf(document, operation),
      errorBody: (status: number) => errorBodyOf(operation.operation, status),
      refusalStatuses: refusalStatuses(Object.keys(operation.operation.responses)),
    });
  });
  return {
    file,
    published,
    document,
    toYaml: toYaml !== undefined && omitted.size === 0 ? toYaml : () => formatYaml(published),
    dates,
    title: document.info.title,
    version: document.info.version,
    rateLimitPlans: document['x-rate-limit-plans'] as PlanTable | undefined,
    operations,
    omitted,
    schemas: standardSchemas(validated, compileRequest) as Contract<T>['schemas'],
    outgoing: new Map(outgoing.map((one) => [one.name, one])),
    errorBody: (status) => errorBodyOf(undefined, status),
    compileAhead: (signal) => runWhenIdle(prepareAll([...operations, ...outgoing]), signal),
  };
}

const same = (document: Document): Document => document;

/** What does not compile is reported by the request that needs it. */
function* prepareAll(parts: readonly { readonly prepare: () => Generator<void> }[]): Generator<void> {
  for (const { prepare } of parts) {
    try {
      yield* prepare();
    } catch {
      continue;
    }
  }
}

// The paths of the servers' URLs, which generated clients prepend to each path.

/**
 * The base paths of an operation, without a trailing `/`: those of its `servers`, else of its path's, else of the
 * document's (OpenAPI 3.0.3, section 4.7.5). The root is not listed, because it is always served.
 */
export function basePaths(document: Document, { item, operation }: Pick<DocumentOperation, 'item' | 'operation'>): string[] {
  const servers = operation.servers ?? item.servers ?? document.servers ?? [];
  return [...new Set(servers.map(basePath))].filter((path) => path !== '');
}

function basePath({ url, variables = {} }: Server): string {
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
  const path = filled.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  // A variable without a default cannot be served.
  if (path.includes('{')) return '';
  return `/${path.replace(/^(\.?\/)+|^\.$/, '')}`.replace(/(?<!\/)\/+$/, '');
}

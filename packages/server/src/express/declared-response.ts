/** What a contract declares for a status, as the response of an Express handler needs it. */
import { bodyKind, type ContractOperation } from '@specwright/contract';

export interface DeclaredResponse {
  readonly types: readonly string[];
  /** The media type of JSON, and that of a text or of bytes if there is only one: what is meant where a handler names none. */
  readonly jsonType: string | undefined;
  readonly textType: string | undefined;
  /** Names in lower case -> as declared. */
  readonly headers: ReadonlyMap<string, string>;
}

const UNDECLARED: DeclaredResponse = { types: [], jsonType: undefined, textType: undefined, headers: new Map() };

const operations = new WeakMap<ContractOperation, Map<number, DeclaredResponse | undefined>>();

/** What an operation declares for a status: itself, else its range, else `default` (OpenAPI 3.0.3, section 4.7.16). */
export const declaredResponse = (operation: ContractOperation, status: number): DeclaredResponse => find(operation, status) ?? UNDECLARED;

export const declares = (operation: ContractOperation, status: number): boolean => find(operation, status) !== undefined;

function find(operation: ContractOperation, status: number): DeclaredResponse | undefined {
  let statuses = operations.get(operation);
  if (statuses === undefined) operations.set(operation, (statuses = new Map<number, DeclaredResponse | undefined>()));
  if (!statuses.has(status)) statuses.set(status, read(operation, status));
  return statuses.get(status);
}

function read({ responses }: ContractOperation, status: number): DeclaredResponse | undefined {
  const entry = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
  if (entry === undefined) return undefined;
  const texts = entry.types.filter((type) => bodyKind(type) !== 'json');
  return {
    types: entry.types,
    jsonType: entry.types.find((type) => bodyKind(type) === 'json'),
    textType: texts.length === 1 && !texts[0]?.includes('*') ? texts[0] : undefined,
    headers: new Map(Object.keys(entry.headers).map((name) => [name.toLowerCase(), name])),
  };
}

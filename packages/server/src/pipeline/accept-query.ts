/** The field `Accept-Query` of a path with an operation for QUERY: the media types that it takes (RFC 10008, section 3). */
import { type ContractOperation, type HeaderFields, isSafe, parseFieldParameters, sentMethod } from '@specwright/contract';

export const ACCEPT_QUERY = 'Accept-Query';

/** Tokens of structured fields (RFC 9651, section 3.3.4) are not those of HTTP: media types may begin with a digit. */
const TOKEN = /^[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*$/;
const KEY = /^[a-z*][a-z0-9_.*-]*$/;

const itemOf = (text: string): string => (TOKEN.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`);

function mediaRange(type: string): string {
  const { value, parameters } = parseFieldParameters(type, 'backslash') ?? { value: type, parameters: new Map<string, string>() };
  return [itemOf(value), ...[...parameters].flatMap(([key, text]) => (KEY.test(key) ? [`${key}=${itemOf(text)}`] : []))].join(';');
}

/** @param operations of one path. @returns `undefined` if none of them is a QUERY with content. */
export function acceptedQueries(operations: readonly (ContractOperation | undefined)[]): string | undefined {
  const types = operations.flatMap((operation) =>
    operation !== undefined && sentMethod(operation.method) === 'QUERY' ? (operation.body?.types ?? []) : [],
  );
  return types.length === 0 ? undefined : [...new Set(types)].map(mediaRange).join(', ');
}

/** The field with what `acceptedQueries` finds; without that, none. */
export function acceptQueryField(operations: readonly (ContractOperation | undefined)[]): Readonly<Record<string, string>> {
  const queries = acceptedQueries(operations);
  return queries === undefined ? {} : { [ACCEPT_QUERY]: queries };
}

/** Of the responses of an operation: what reads a resource says how it can be queried. */
export const acceptedQueriesBeside = ({ method, path }: ContractOperation, operations: readonly ContractOperation[]): string | undefined =>
  isSafe(method) ? acceptedQueries(operations.filter((one) => one.path === path)) : undefined;

/** To the headers of every response of an operation. */
export function addAcceptedQueries(fields: HeaderFields, operation: ContractOperation, operations: readonly ContractOperation[]): void {
  const queries = acceptedQueriesBeside(operation, operations);
  if (queries !== undefined) fields.set(ACCEPT_QUERY, queries);
}

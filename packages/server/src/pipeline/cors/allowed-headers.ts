/** The request headers that a page of another origin may send: those of the contract, and those that the pipeline reads. */
import { type ContractOperation, type RequiredScheme, distinctNames } from '@specwright/contract';

/** What the pipeline reads of every request: its id, and its trace (W3C Trace Context). */
const READ_ALWAYS = ['X-Request-Id', 'traceparent', 'tracestate'];

/** The names of the request headers of some operations. */
export const allowedHeaders = (operations: readonly ContractOperation[]): string[] =>
  distinctNames([
    ...credentialHeaders(operations),
    ...operations.flatMap(({ body, headerParameters }) => [...(body === null ? [] : ['Content-Type']), ...headerParameters]),
    ...READ_ALWAYS,
  ]);

/** Those of requests that are no operation's: credentials say whose limits they count against. @param operations of the contract. */
export const allowedWithoutOperation = (operations: readonly ContractOperation[]): string[] =>
  distinctNames([...credentialHeaders(operations), ...READ_ALWAYS]);

const credentialHeaders = (operations: readonly ContractOperation[]): string[] =>
  operations.flatMap(({ requirements }) => requirements.flat().flatMap(credentialHeader));

function credentialHeader({ definition }: RequiredScheme): string[] {
  if (definition.type !== 'apiKey') return ['Authorization'];
  return definition.in === 'header' ? [definition.name] : [];
}

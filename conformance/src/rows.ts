/** Groups as tables: a row is an operation with the requests that are sent to it. */
import type { Case, Document, Group, Outcome, Received, Source } from './case.ts';
import { answerId, document, echo, echoId } from './operations.ts';
import { type Fields, request, requestWith } from './request.ts';

export interface Row {
  /** Of the operation, in its group. */
  readonly name: string;
  /** In lower case; `post` by default. */
  readonly method?: string;
  /** What follows `/GROUP/NAME`, such as `/{id}`. */
  readonly below?: string;
  /** Of the operation object: for an echo without `responses`, for an answer with them. */
  readonly operation?: Readonly<Record<string, unknown>>;
  readonly kind?: 'echo' | 'answer';
  /** Where the cases that name no other source come from. */
  readonly source: Source;
  readonly cases: readonly Tried[];
}

/** Makes a request to a path. */
export type Send = (method: string, path: string) => string;

export interface Tried {
  readonly what: string;
  readonly send: Send;
  readonly accepts: readonly Outcome[];
  readonly source?: Source;
}

export const valid = (what: string, send: Send, received: Received | 'anything', source?: Source): Tried =>
  tried(what, send, [{ kind: 'received', received }], source);
export const invalid = (what: string, send: Send, source?: Source): Tried => tried(what, send, [REFUSED], source);
/** Where the standards leave a choice. */
export const tried = (what: string, send: Send, accepts: readonly Outcome[], source?: Source): Tried => ({
  what,
  send,
  accepts,
  ...(source === undefined ? {} : { source }),
});

export const received = (parts: Received | 'anything'): Outcome => ({ kind: 'received', received: parts });
export const refused = (...statuses: number[]): Outcome => ({ kind: 'refused', statuses });
/** Of values that are not valid. */
export const REFUSED = refused(400, 422);

/** Without a body. */
export const bare =
  (suffix = '', fields: Fields = {}): Send =>
  (method, path) =>
    request(method, path + suffix, fields);
export const body =
  (mediaType: string | undefined, content: string | Uint8Array, fields: Fields = {}): Send =>
  (method, path) =>
    requestWith(method, path, mediaType, content, fields);
export const json = (text: string): Send => body('application/json', text);

/** The content of a request or a response: its media types, and their schemas. */
export const content = (types: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));

export function rowGroup(
  name: string,
  version: '3.0.4' | '3.1.2' | '3.2.0',
  title: string,
  rows: readonly Row[],
  rest: Partial<Document> = {},
): Group {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of rows) {
    const item = (paths[`/${name}/${row.name}${row.below ?? ''}`] ??= {});
    item[row.method ?? 'post'] = operationOf(name, row);
  }
  return {
    name,
    document: document(version, title, { ...rest, paths: { ...paths, ...rest.paths } }),
    cases: rows.flatMap((row) => casesOf(name, row)),
  };
}

const isAnswer = ({ kind }: Row): boolean => kind === 'answer';

const operationOf = (group: string, row: Row): Record<string, unknown> =>
  isAnswer(row) ? { operationId: answerId(`${group}-${nameOf(row)}`), ...row.operation } : echo(`${group}-${nameOf(row)}`, row.operation);

/** Two methods of a path are two operations. */
const nameOf = ({ name, method = 'post', below = '' }: Row): string =>
  method === 'post' && below === '' ? name : `${name}-${method} ${below}`.replace(/[^A-Za-z0-9]+$/u, '');

const casesOf = (group: string, row: Row): Case[] =>
  row.cases.map(({ what, send, accepts, source }) => ({
    id: `${group}/${row.name}/${what}`,
    operationId: (isAnswer(row) ? answerId : echoId)(`${group}-${nameOf(row)}`),
    request: send((row.method ?? 'post').toUpperCase(), `/${group}/${row.name}`),
    accepts,
    source: source ?? row.source,
  }));

/** Makes what TanStack Query takes: a module beside the client, which imports nothing else. */
import type { Document } from '@specwright/contract/document';
import { listPagedOperations } from './client-types.ts';

/** @param client the module of the client, as imported. */
export function queriesModule(document: Document, client = './client.ts'): string {
  const isPaged = listPagedOperations(document).length > 0;
  const names = [
    'type Client',
    'type Inputs',
    'type Results',
    'orThrow',
    ...(isPaged ? ['type PagedOperation', 'hasNextPage', 'nextPage'] : []),
  ];
  return MODULE.replace('IMPORT', () => `import { ${names.join(', ')} } from '${client}';`)
    .replace('PAGED_TYPES', () => (isPaged ? PAGED_TYPES : ''))
    .replace('PAGED_QUERIES', () => (isPaged ? PAGED_QUERIES : ''))
    .replace('QUERIES_OF', isPaged ? 'Op extends PagedOperation ? PagedQueries<Op> : OperationQueries<Op>' : 'OperationQueries<Op>');
}

const MODULE = `/**
 * What TanStack Query takes, for each operation: keys, and options for \`useQuery\`, \`useInfiniteQuery\` and \`useMutation\`. Generated from the
 * spec by \`npx specwright client\`. Do not edit: change the spec.
 *
 * const api = queries(client);
 * useQuery(api.OPERATION.options(input)); queryClient.invalidateQueries({ queryKey: api.OPERATION.key() });
 */
IMPORT

type Success<Op extends keyof Client> = Extract<Results[Op], { readonly ok: true }>;
/** Of the input alone. */
type Arguments<Op extends keyof Client> = Parameters<Client[Op]> extends [infer Input, unknown?] ? [input: Input] : [input?: Inputs[Op]];

export interface OperationQueries<Op extends keyof Client> {
  /** The key of a query; without an input, what the keys of all queries of the operation begin with. */
  readonly key: (input?: Inputs[Op]) => readonly unknown[];
  readonly options: (...args: Arguments<Op>) => {
    readonly queryKey: readonly unknown[];
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Success<Op>>;
  };
  readonly mutation: () => {
    readonly mutationKey: readonly unknown[];
    readonly mutationFn: (input: Arguments<Op>[0]) => Promise<Success<Op>>;
  };
}

PAGED_TYPESexport type Queries = { readonly [Op in keyof Client]: QUERIES_OF };

type Call = (input?: unknown, options?: { readonly signal: AbortSignal }) => Promise<{ readonly ok: boolean; readonly headers: object }>;

/** @returns the queries of each operation of a client, all of which throw \`ResponseError\` for a response that is no success. */
export const queries = (client: Client): Queries => new Proxy({} as Queries, { get: (_, operation) => queriesOf(client, String(operation)) });

function queriesOf(client: Client, operation: string): object {
  const call = (client as unknown as Readonly<Record<string, Call>>)[operation];
  if (call === undefined) return undefined as never;
  const key = (input?: unknown) => (input === undefined ? [operation] : [operation, input]);
  return {
    key,
    options: (input?: unknown) => ({
      queryKey: key(input),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => orThrow(call(input, { signal })),
    }),
    mutation: () => ({ mutationKey: [operation], mutationFn: (input?: unknown) => orThrow(call(input)) }),
PAGED_QUERIES  };
}
`;

const PAGED_TYPES = `/** What a page is found by: the headers of the page before. */
type PageParam = { readonly headers: object } | undefined;

export interface PagedQueries<Op extends PagedOperation> extends OperationQueries<Op> {
  readonly infinite: (...args: Arguments<Op>) => {
    readonly queryKey: readonly unknown[];
    readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: unknown }) => Promise<Success<Op>>;
    readonly initialPageParam: PageParam;
    readonly getNextPageParam: (page: Success<Op>) => PageParam;
  };
}

`;

const PAGED_QUERIES = `    infinite: (input?: unknown) => ({
      queryKey: [operation, 'pages', input],
      queryFn: ({ signal, pageParam }: { readonly signal: AbortSignal; readonly pageParam: PageParam }) =>
        pageParam === undefined ? orThrow(call(input, { signal })) : nextPage(client, operation as never, pageParam as never, { signal }),
      initialPageParam: undefined,
      getNextPageParam: ({ headers }: { readonly headers: { readonly Link?: string } }): PageParam =>
        hasNextPage({ headers }) ? { headers: { Link: headers.Link } } : undefined,
    }),
`;

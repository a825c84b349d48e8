/**
 * What TanStack Query takes, for each operation: keys, and options for `useQuery`, `useInfiniteQuery` and `useMutation`. Generated from the
 * spec by `npx specwright client`. Do not edit: change the spec.
 *
 * const api = queries(client);
 * useQuery(api.OPERATION.options(input)); queryClient.invalidateQueries({ queryKey: api.OPERATION.key() });
 */
import { type Client, type Inputs, type Results, orThrow, type PagedOperation, hasNextPage, nextPage } from './client.ts';

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

/** What a page is found by: the headers of the page before. */
type PageParam = { readonly headers: object } | undefined;

export interface PagedQueries<Op extends PagedOperation> extends OperationQueries<Op> {
  readonly infinite: (...args: Arguments<Op>) => {
    readonly queryKey: readonly unknown[];
    readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: unknown }) => Promise<Success<Op>>;
    readonly initialPageParam: PageParam;
    readonly getNextPageParam: (page: Success<Op>) => PageParam;
  };
}

export type Queries = { readonly [Op in keyof Client]: Op extends PagedOperation ? PagedQueries<Op> : OperationQueries<Op> };

type Call = (input?: unknown, options?: { readonly signal: AbortSignal }) => Promise<{ readonly ok: boolean; readonly headers: object }>;

/** @returns the queries of each operation of a client, all of which throw `ResponseError` for a response that is no success. */
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
    infinite: (input?: unknown) => ({
      queryKey: [operation, 'pages', input],
      queryFn: ({ signal, pageParam }: { readonly signal: AbortSignal; readonly pageParam: PageParam }) =>
        pageParam === undefined ? orThrow(call(input, { signal })) : nextPage(client, operation as never, pageParam as never, { signal }),
      initialPageParam: undefined,
      getNextPageParam: ({ headers }: { readonly headers: { readonly Link?: string } }): PageParam =>
        hasNextPage({ headers }) ? { headers: { Link: headers.Link } } : undefined,
    }),
  };
}

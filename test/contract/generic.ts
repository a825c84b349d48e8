/** How the statuses that mean the same everywhere are provoked, from what the document says of an operation. */
import type { SpecOperation } from '../support/witness.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Call, World } from './world.ts';

type Generic = (operation: SpecOperation, world: World) => Promise<readonly Call[]> | readonly Call[];

const PARSES = 'a proxy that reads JSON does not pass on what is none';
const BEFORE_LIFECYCLE = 'Prism adds a `Deprecation` of its own where a deprecated operation has not been looked at yet';

export const GENERIC = {
  304: async (operation, world) => {
    if (!takes(operation, 'If-None-Match')) return [];
    const call = await success(operation, world);
    const etag = (await world.send(operation.id, call)).headers.get('etag') ?? '';
    return ['*', etag, `W/${etag}`, `"other", ${etag}`].map((tag) => ({ ...call, headers: { 'If-None-Match': tag } }));
  },

  400: (operation) => [
    { query: 'nonsense=1', says: 'query/nonsense' },
    ...operation.parameters.map((parameter) => malformed(parameter)),
    ...(operation.body === undefined ? [] : badBodies(operation.body)),
  ],

  401: ({ secured }) =>
    secured
      ? ['', 'Bearer', 'Basic YTpi', 'Bearer psk_live_0000000000000000000000000000000KzH5R'].map((authorization) => ({
          headers: { authorization },
        }))
      : [],

  404: async (operation, world) => {
    if (!operation.path.includes('{')) return [];
    const call = await success(operation, world);
    const nowhere = Object.fromEntries(Object.keys(call.path ?? {}).map((name) => [name, Number.MAX_SAFE_INTEGER]));
    // What belongs to another account answers as what does not exist.
    return [
      { ...call, path: nowhere },
      { ...call, headers: { ...call.headers, authorization: `Bearer ${world.stranger}` } },
    ];
  },

  410: ({ deprecated }) => (deprecated ? [{ stage: 'afterSunset' }] : []),

  412: async (operation, world) => {
    if (!takes(operation, 'If-Match')) return [];
    const call = await success(operation, world);
    return [{ ...call, headers: { ...call.headers, 'If-Match': '"0"' } }];
  },

  413: ({ body }) => (body === undefined ? [] : [{ body: { name: 'x'.repeat(64 * 1024) } }]),

  429: ({ secured, cost }) => [
    ...(cost === 0 ? [] : [{ stage: 'overLimit', says: 'is used up' } as const]),
    ...(cost === 0 || !secured ? [] : [{ stage: 'banned', says: 'is banned' } as const]),
    // Who has no good key is counted by address.
    ...(secured ? ['', 'Bearer psk_live_wrong'].map((authorization) => ({ stage: 'overLimit', headers: { authorization } }) as const) : []),
  ],

  // What costs nothing tells what the line knows, and asks no store but that of the keys.
  500: ({ cost }) => (cost === 0 ? [{ stage: 'keysFail' }] : [{ stage: 'storeFails' }, { stage: 'keysFail', direct: BEFORE_LIFECYCLE }]),

  503: ({ cost }) =>
    cost === 0
      ? [{ stage: 'keysDown' }, { stage: 'notReady' }]
      : [{ stage: 'storeDown' }, { stage: 'keysDown', direct: BEFORE_LIFECYCLE }, { stage: 'notReady', direct: BEFORE_LIFECYCLE }],
} as const satisfies Record<number, Generic>;

export type GenericStatus = keyof typeof GENERIC;

const takes = ({ parameters }: SpecOperation, header: string) => parameters.some((parameter) => parameter.name === header);

/** A call that succeeds: the first that the table of scenarios has for the operation. */
async function success({ id, statuses }: SpecOperation, world: World): Promise<Call> {
  const provoke = statuses.filter((status) => status < 300).flatMap((status) => specific(id, status) ?? [])[0];
  const [call] = (await provoke?.(world)) ?? [];
  if (call === undefined) throw new Error(`nothing makes ${id} succeed: add it to test/contract/scenarios.ts`);
  return call;
}

function malformed({ in: place, name }: SpecOperation['parameters'][number]): Call {
  const says = `${place}/${name}`;
  if (place === 'path') return { path: { [name]: '!' }, says };
  return place === 'query' ? { query: `${name}=!`, says } : { headers: { [name]: '!' }, says };
}

function badBodies({ example, types }: NonNullable<SpecOperation['body']>): Call[] {
  const headers = { 'Content-Type': types[0] ?? '' };
  return [
    { body: [], says: 'body' },
    { body: { ...(example as object), nonsense: 1 }, says: 'body/nonsense' },
    { raw: '{', headers, says: 'body is not JSON', direct: PARSES },
    { raw: '', headers, says: 'body is required', direct: PARSES },
    { raw: '{}', says: 'header/Content-Type', direct: PARSES },
    { raw: '{}', headers: { 'Content-Type': 'text/plain' }, says: 'header/Content-Type', direct: PARSES },
  ];
}

function specific(id: string, status: number): ((world: World) => Promise<readonly Call[]>) | undefined {
  const table = SCENARIOS as unknown as Record<
    string,
    Record<number, ((world: World) => Promise<readonly Call[]>) | undefined> | undefined
  >;
  return table[id]?.[status];
}

/** What provokes a status of an operation; `undefined` if nothing is known to. */
export function provocation(operation: SpecOperation, status: number): ((world: World) => Promise<readonly Call[]>) | undefined {
  const generic = (GENERIC as Record<number, Generic | undefined>)[status];
  return specific(operation.id, status) ?? (generic && (async (world) => generic(operation, world)));
}

/** The calls for statuses that every operation has for the same reasons: those of any contract, and those of this service. */
import { GENERIC_SCENARIOS, type Call, type GenericContext, type SpecOperation } from 'specwright/testing';
import type { World } from './world.ts';

interface Context extends GenericContext {
  readonly world: World;
}

export type GenericScenario = (operation: SpecOperation, context: Context) => Promise<readonly Call[]> | readonly Call[];

const BEFORE_LIFECYCLE = 'Prism adds a `Deprecation` of its own where the server answers before it looks at the operation';

export const GENERIC = {
  304: GENERIC_SCENARIOS[304],
  400: GENERIC_SCENARIOS[400],

  401: (operation) => {
    const malformed = ['Bearer', 'Basic YTpi', 'Bearer psk_live_0000000000000000000000000000000KzH5R'];
    if (!operation.secured) return [];
    return [...GENERIC_SCENARIOS[401](operation), ...malformed.map((authorization) => ({ headers: { authorization } }))];
  },

  // What belongs to another account answers as what does not exist.
  404: async (operation, context) => {
    const { success, world } = context;
    if (!operation.path.includes('{')) return [];
    const call = await success();
    const unused = await GENERIC_SCENARIOS[404](operation, context);
    return [...unused, { ...call, headers: { ...call.headers, authorization: `Bearer ${world.otherKey}` } }];
  },

  410: ({ deprecated }) => (deprecated ? [{ server: 'afterSunset' }] : []),

  412: GENERIC_SCENARIOS[412],
  413: GENERIC_SCENARIOS[413],

  429: ({ secured, cost }) => [
    ...(cost === 0 ? [] : [{ server: 'overLimit', message: 'is used up' }]),
    ...(cost === 0 || !secured ? [] : [{ server: 'banned', message: 'is banned' }]),
    // A request without a valid key counts for its address.
    ...(secured
      ? [
          { server: 'overLimit', anonymous: true },
          { server: 'overLimit', headers: { authorization: 'Bearer psk_live_wrong' } },
        ]
      : []),
  ],

  // An operation that costs nothing asks the database for nothing but the key.
  500: ({ cost }) =>
    cost === 0 ? [{ server: 'keysFail' }] : [{ server: 'storeFails' }, { server: 'keysFail', notThroughProxy: BEFORE_LIFECYCLE }],

  503: ({ cost }) =>
    cost === 0
      ? [{ server: 'keysDown' }, { server: 'notReady' }]
      : [
          { server: 'storeDown' },
          { server: 'keysDown', notThroughProxy: BEFORE_LIFECYCLE },
          { server: 'notReady', notThroughProxy: BEFORE_LIFECYCLE },
        ],
} as const satisfies Record<number, GenericScenario>;

export type GenericStatus = keyof typeof GENERIC;

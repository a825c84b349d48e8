/** Where the local identity provider keeps sessions, codes and grants: in this process. */
import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Old entries make way for new ones. */
const MAX_ENTRIES = 1000;

/** What a grant that is revoked takes with it; not the log-in that is under way. */
const GRANTED = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/** @returns a factory of adapters, one for each kind of entry, which share one storage. The provider checks when entries expire. */
export function createMemoryAdapter(): (kind: string) => Adapter {
  const entries = new Map<string, AdapterPayload>();
  return (kind) => {
    const key = (id: string) => `${kind}:${id}`;
    const findBy = (name: 'uid' | 'userCode', value: string) =>
      [...entries].find(([id, payload]) => id.startsWith(key('')) && payload[name] === value)?.[1];
    return {
      upsert: async (id, payload) => {
        entries.delete(key(id));
        entries.set(key(id), payload);
        const [oldest] = entries.keys();
        if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
      },
      find: async (id) => entries.get(key(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (userCode) => findBy('userCode', userCode),
      consume: async (id) => {
        const payload = entries.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void entries.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [id, payload] of entries)
          if (payload.grantId === grantId && GRANTED.some((granted) => id.startsWith(`${granted}:`))) entries.delete(id);
      },
    };
  };
}

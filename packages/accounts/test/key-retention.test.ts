/** API keys that have ended are removed once they were kept for long enough, and nothing else is. */
import { expect, test } from '@jest/globals';
import { createAccount } from '../src/accounts.ts';
import { issueKey, revokeKey } from '../src/keys/api-keys.ts';
import { deleteEndedKeys } from '../src/keys/key-retention.ts';
import { withAccountsDatabase } from './support/accounts-database.ts';

const database = withAccountsDatabase();

test('removes keys that were revoked or have expired so many days ago, with their bans', async () => {
  const { db } = database;
  const now = new Date();
  const accountId = (await createAccount(db, { email: 'retention@example.com', plan: 'free' }, now)).record.id;
  const add = async (name: string) => (await issueKey(db, accountId, { name }, now)).record.id;
  const ids = {
    valid: await add('valid'),
    later: await add('later'),
    revoked: await add('revoked'),
    old: await add('old'),
    expired: await add('expired'),
  };
  await revokeKey(db, accountId, ids.revoked, now);
  await revokeKey(db, accountId, ids.old, now);
  const ago = (days: number) => db.raw(`now() - ? * interval '1 day'`, [days]);
  await db('api_keys')
    .where({ id: ids.old })
    .update({ revoked_at: ago(91) });
  await db('api_keys')
    .where({ id: ids.revoked })
    .update({ revoked_at: ago(89) });
  await db('api_keys')
    .where({ id: ids.expired })
    .update({ expires_at: ago(91) });
  await db('api_keys')
    .where({ id: ids.later })
    .update({ expires_at: db.raw(`now() + interval '91 days'`) });
  await db('api_key_bans').insert([
    { account_id: accountId, key_id: ids.old },
    { account_id: accountId, key_id: ids.valid },
  ]);
  const keys = async () => (await db('api_keys').where({ account_id: accountId }).orderBy('id').pluck<string[]>('name')).join();

  expect(await keys()).toBe('First key,valid,later,revoked,old,expired');
  expect(await deleteEndedKeys(db, 90)).toBe(2);
  expect(await keys()).toBe('First key,valid,later,revoked');
  expect(await db('api_key_bans').pluck<number[]>('key_id')).toEqual([ids.valid]);
  expect(await deleteEndedKeys(db, 90)).toBe(0);
});

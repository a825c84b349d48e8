/** What the commands of an operator take, and the statuses of this package's errors. */
import { expect, test } from '@jest/globals';
import { UsageError } from '@specwright/server/command';
import { keyCommands } from '../src/commands/keys.ts';
import { chooseAccount, parseInteger } from '../src/commands/options.ts';
import { deliveryCommands } from '../src/webhooks/commands.ts';

const choose = (email?: string, account?: string) => chooseAccount({ email, account });

test('an account is named by its address or by its id, not by both', () => {
  expect([choose('ada@example.com'), choose(undefined, '7')]).toEqual(['ada@example.com', '7']);
  expect(() => choose('ada@example.com', '7')).toThrow(new UsageError('give --email or --account, not both'));
  expect(() => choose()).toThrow('missing --email EMAIL, or --account ID');
  expect(() => choose('ada')).toThrow('ada is not an email address');
  expect(() => choose(undefined, '0')).toThrow('--account must be a whole number from 1');
});

test.each(['0', '6', '-1', '1.5', '', ' 2'])('a number from 1 to 5 is not %j', (text) => {
  expect(() => parseInteger(text, 'N', 1, 5)).toThrow(`N must be a whole number from 1 to 5, not ${text}`);
});

test('a number from 1 to 5 is 1, and is 5', () => {
  expect(['1', '5'].map((text) => parseInteger(text, 'N', 1, 5))).toEqual([1, 5]);
});

test('a key is created with an expiry that is in the future only', () => {
  const create = (expires: string) => () => keyCommands.create?.prepare({ values: { account: '1', name: 'x', expires }, positionals: [] });
  expect(create('2001-01-01T00:00:00Z')).toThrow('--expires must be in the future, not 2001-01-01T00:00:00Z');
  expect(create('soon')).toThrow('--expires must be a time such as');
  expect(create('2999-01-01T00:00:00Z')).not.toThrow();
});

test('messages are listed by a status that there is', () => {
  const list = (status?: string) => () =>
    deliveryCommands().list?.prepare({ values: { status, account: undefined, since: undefined }, positionals: [] });
  expect(list('lost')).toThrow('unknown status lost: choose ');
  expect(list('sent')).not.toThrow();
  expect(list()).not.toThrow();
});

/** The test of written values is red when something that the contract accepts is refused, or is stored nowhere. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createWitness } from 'specwright/testing';
import { assertExemptions } from '../../src/testing/contract/walk.ts';
import type { Walk } from '../../src/testing/contract/walk-options.ts';
import { tryWrittenValues } from '../../src/testing/contract/written-values.ts';
import type { Json } from '../../src/testing/contract/document.ts';
import { shop, SHOP, withShop } from './shop.ts';

const { faults, items, sent, walk } = withShop();
beforeEach(() => {
  for (const name of Object.keys(faults) as (keyof typeof faults)[]) delete faults[name];
  items.clear();
  sent.length = 0;
});

/** What is wrong, without the response. */
async function problemsOf(id: string, more: Partial<Walk<object>> = {}): Promise<string> {
  const spec = more.spec ?? shop;
  const error = await tryWrittenValues(walk(more), spec.operation(id)).catch((thrown: unknown) => (thrown as Error).message);
  return (error ?? '').replace(/^ {2}response body: .*$/gm, '').trim();
}

const without = (record: Json, name: string): Json => Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
const bodies = (method: string) => sent.filter((one) => one.method === method).map(({ body }) => body);

describe('a server that keeps the contract passes, and is asked for', () => {
  test.each(['listItems', 'addItem', 'replaceItem', 'changeItem'])('everything of %s', async (id) => expect(await problemsOf(id)).toBe(''));

  test('all properties, none, each enum value and each branch; nothing that is only read', async () => {
    await problemsOf('addItem');
    const all = bodies('POST')[1] ?? {};
    expect(Object.keys(all).sort()).toEqual(
      [
        'isGift',
        'labels',
        'name',
        'nickname',
        'note',
        'owner',
        'parts',
        'password',
        'payment',
        'size',
        'shipped',
        'status',
        'tags',
        'weight',
      ].sort(),
    );
    // A value that is the default proves nothing.
    expect(all).toMatchObject({
      isGift: true,
      status: 'used',
      owner: { city: 'city' },
      payment: { kind: 'card' },
      parts: [{ parts: [{}] }],
    });
    expect(bodies('POST')[2]).toEqual({ name: 'Lamp' });
    const have = (part: object) => expect(bodies('POST')).toContainEqual(expect.objectContaining(part));
    for (const status of ['new', 'used', 'broken']) have({ status });
    for (const kind of ['person', 'firm']) have({ owner: { kind } });
    for (const kind of ['card', 'transfer']) have({ payment: expect.objectContaining({ kind }) });
    for (const tag of ['red', 'blue']) have({ tags: [tag] });
    have({ note: null });
    expect(bodies('POST')).not.toContainEqual(expect.objectContaining({ size: null }));
    have({ isGift: false });
  });

  test('each value of a parameter in the query', async () => {
    await problemsOf('listItems');
    const urls = sent.map(({ url }) => url);
    expect(urls.slice(1)).toEqual([
      '/items?status=new&sort=name',
      '/items',
      '/items?status=new',
      '/items?status=used',
      '/items?status=broken',
      '/items?sort=name',
      '/items?sort=weight',
    ]);
  });

  test('a change of what is stored, because the value that is there proves nothing', async () => {
    await problemsOf('replaceItem');
    expect(bodies('PUT')[1]).toMatchObject({ name: 'Lamp 2' });
  });
});

describe('it is red, and says what was written, what came back, and what to do', () => {
  test('when PUT drops a property without a word', async () => {
    faults.store = (record, method) => (method === 'PUT' ? without(record, 'nickname') : record);
    expect(await problemsOf('replaceItem')).toMatch(
      new RegExp(
        [
          String.raw`^replaceItem \(PUT /items/\{itemId\}\), called with .*"nickname":"nickname".*:`,
          String.raw`body/nickname was written as "nickname": nothing came back from readItem`,
          String.raw`fix: store and return body/nickname in the handler of replaceItem, or exempt "replaceItem body/nickname" with the reason in exemptions.json$`,
        ].join(String.raw`\s+`),
      ),
    );
  });

  test('when PATCH answers 500 for a property, which is said once', async () => {
    faults.answer = (method, body) => (method === 'PATCH' && 'nickname' in body ? { status: 500 } : undefined);
    expect((await problemsOf('changeItem')).match(/status 500/g)).toHaveLength(1);
  });

  test('when a PATCH of one property alone is dropped, whichever it is', async () => {
    for (const name of ['name', 'nickname', 'status', 'isGift', 'note', 'tags', 'owner']) {
      faults.answer = (method, body, url) =>
        method === 'PATCH' && Object.keys(body).join() === name
          ? { status: 200, body: items.get(Number(url.pathname.split('/')[2])) }
          : undefined;
      expect(await problemsOf('changeItem')).toMatch(new RegExp(`body/${name}[^ ]* was written as .* came back from the response`));
    }
  });

  test('when a PUT keeps the value that its calls give, which is stored already', async () => {
    const { scenarioFor } = walk();
    const unchanged: Walk<object>['scenarioFor'] = (operation, status) => async (world) => {
      const calls = (await scenarioFor(operation, status)?.(world)) ?? [];
      return calls.map((call) => ({ ...call, body: { name: 'Lamp' } }));
    };
    expect(await problemsOf('replaceItem', { scenarioFor: unchanged })).toBe('');
    faults.store = (record, method) => (method === 'PUT' ? { ...record, name: 'Lamp' } : record);
    expect(await problemsOf('replaceItem', { scenarioFor: unchanged })).toContain(
      'body/name was written as "Lamp 2": "Lamp" came back from readItem',
    );
  });

  test('when POST answers with a property that it does not store', async () => {
    const given: Json[] = [];
    faults.store = (record) => (given.push(record), without(record, 'weight'));
    faults.present = (record, method) => (method === 'POST' ? { ...given.at(-1), id: record['id'] } : record);
    expect(await problemsOf('addItem')).toContain('body/weight was written as 7: nothing came back from readItem');
  });

  test('when POST answers 500 for an optional property, which is named', async () => {
    faults.answer = (method, body) => (method === 'POST' && 'nickname' in body ? { status: 500 } : undefined);
    const problems = await problemsOf('addItem');
    expect(problems).toMatch(/body\/nickname: status 500\n {2}fix: make the handler of addItem accept body\/nickname$/);
    expect(problems).not.toContain('body/weight');
    // What else is wrong is not hidden by it.
    faults.store = (record) => without(record, 'weight');
    expect(await problemsOf('addItem')).toContain('body/weight was written as 7: nothing came back');
  });

  test('when the database refuses a value of an enum', async () => {
    faults.answer = (method, body) => (method !== 'GET' && body['status'] === 'broken' ? { status: 500 } : undefined);
    for (const id of ['addItem', 'replaceItem', 'changeItem']) expect(await problemsOf(id)).toContain('body/status=broken: status 500');
  });

  test('when a value is refused that the contract accepts', async () => {
    faults.answer = (method, body) => (method === 'POST' && body['weight'] === 7 ? { status: 409 } : undefined);
    expect(await problemsOf('addItem')).toMatch(
      /body\/weight: status 409\n {2}fix: give body\/weight a value that is accepted, in a call of addItem 201 in scenarios\.ts, or exempt "addItem body\/weight"/,
    );
  });

  test('when one branch of a union is not stored', async () => {
    faults.store = (record) => ((record['payment'] as Json | undefined)?.['kind'] === 'transfer' ? without(record, 'payment') : record);
    for (const id of ['addItem', 'replaceItem', 'changeItem'])
      expect(await problemsOf(id)).toMatch(/body\/payment was written as \{"kind":"transfer","iban":"iban"\}: nothing came back/);
  });

  test.each([
    ['a nested property', 'owner', (owner: Json) => without(owner, 'city'), 'body/owner/city was written as "city": nothing'],
    ['a value of an array', 'tags', () => [], 'body/tags was written as ["red"]: []'],
    ['a property that nobody has declared', 'labels', () => ({}), 'body/labels/key was written as "key": nothing'],
    ['a moment', 'shipped', () => '2031-02-03T00:00:00Z', '"2031-02-03T04:05:06Z": "2031-02-03T00:00:00Z" came back'],
  ])('when %s is changed', async (_, name, change, problem) => {
    faults.store = (record) => (name in record ? { ...record, [name]: change(record[name] as Json) } : record);
    expect(await problemsOf('addItem')).toContain(problem);
  });

  test('when `null` does not remove what was there', async () => {
    faults.store = (record, method) => (method === 'PATCH' && !('note' in record) ? { ...record, note: 'note' } : record);
    expect(await problemsOf('changeItem')).toContain('body/note was written as null: "note" came back from the response');
  });

  test('when a default is not what is stored', async () => {
    faults.store = (record) => ({ status: 'used', ...record });
    expect(await problemsOf('addItem')).toContain('body/status was written as "new": "used" came back');
  });

  test('when a value of the query is refused', async () => {
    faults.answer = (_method, _body, url) => (url.searchParams.get('sort') === 'weight' ? { status: 500 } : undefined);
    expect(await problemsOf('listItems')).toContain('query/sort=weight: status 500');
  });

  test('when it cannot be read, or no value can be made', async () => {
    faults.answer = (method) => (method === 'GET' ? { status: 404 } : undefined);
    const problems = await problemsOf('addItem');
    expect(problems.match(/readItem, which reads what was written, answers 404/g)).toHaveLength(1);
    expect(problems).toContain('fix: make readItem read what addItem writes, or give its calls `readWith` in scenarios.ts');
    delete faults.answer;
    const spec = createWitness(
      SHOP.replaceAll('nickname: { type: string, maxLength: 20 }', "nickname: { type: string, pattern: '^(?!)' }"),
    );
    expect(await problemsOf('addItem', { spec })).toContain(
      'no value can be made for body/nickname (tried ""): add an example to the contract',
    );
  });

  test('when no scenario makes it succeed', async () => {
    expect(await problemsOf('addItem', { scenarioFor: () => undefined })).toBe(
      'no scenario makes addItem succeed: add one that answers 201 to scenarios.ts',
    );
  });
});

test('what means the same is the same: moments, space around texts, numbers, what is added', async () => {
  faults.present = (record) => ({
    ...record,
    ...('shipped' in record && { shipped: '2031-02-03T05:05:06.000+01:00' }),
    ...('nickname' in record && { nickname: ` ${String(record['nickname'])}` }),
    ...('owner' in record && { owner: { ...(record['owner'] as Json), since: 2031 } }),
  });
  expect(await problemsOf('addItem')).toBe('');
});

test('a handler that is not written yet is not tried', async () => {
  faults.answer = () => ({ status: 501 });
  expect(await problemsOf('addItem')).toBe('');
  expect(sent).toHaveLength(1);
});

describe('an exemption', () => {
  const reason = 'the till decides';

  test('admits that a property does not come back, or is refused', async () => {
    const exemptions = { 'addItem body/nickname': reason };
    faults.store = (record) => without(record, 'nickname');
    expect(await problemsOf('addItem', { exemptions })).toBe('');
    delete faults.store;
    faults.answer = (method, body) => (method === 'POST' && 'nickname' in body ? { status: 409 } : undefined);
    expect(await problemsOf('addItem', { exemptions })).toBe('');
  });

  test('admits that one value is refused', async () => {
    faults.answer = (method, body) => (method === 'POST' && body['status'] === 'broken' ? { status: 409 } : undefined);
    expect(await problemsOf('addItem', { exemptions: { 'addItem body/status=broken': reason } })).toBe('');
  });

  test('never admits an error of the server', async () => {
    faults.answer = (method, body) => (method === 'POST' && 'nickname' in body ? { status: 500 } : undefined);
    expect(await problemsOf('addItem', { exemptions: { 'addItem body/nickname': reason } })).toContain('body/nickname: status 500');
  });

  test.each(['addItem body/nickname', 'addItem body/status=broken', 'listItems query/sort=weight'])(
    'that is not needed is to be removed: %s',
    async (key) =>
      expect(await problemsOf(key.split(' ')[0] ?? '', { exemptions: { [key]: reason } })).toBe(
        `"${key}" is exempt (the till decides), but it is accepted and comes back. Remove it from exemptions.json`,
      ),
  );

  test('is of something that the contract has', () => {
    const exempt = (key: string) => () => assertExemptions({ ...walk({ exemptions: { [key]: reason } }) });
    for (const key of [
      'changeItem body/name alone',
      'addItem body/owner/kind',
      'addItem body/status=new',
      'listItems query/sort',
      'addItem required properties',
    ])
      expect(exempt(key)).not.toThrow();
    for (const key of ['addItems', 'addItem body/nick', 'addItem body/status=old', 'addItem body/name alone', 'listItems query/nick'])
      expect(exempt(key)).toThrow(`not in the contract: ${key}. Remove it from exemptions.json`);
  });
});

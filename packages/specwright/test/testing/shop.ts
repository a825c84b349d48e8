/** A contract with every kind of value, and a server of it in memory, each part of which a test can break. */
import http from 'node:http';
import { createOperationClient, createWitness, listenOnFreePort, withApp } from 'specwright/testing';
import type { Json } from '../../src/testing/contract/document.ts';
import type { Walk } from '../../src/testing/contract/walk-options.ts';

const ITEM = `
        name: { type: string, minLength: 1, example: Lamp }
        nickname: { type: string, maxLength: 20 }
        status: { type: string, enum: [new, used, broken], default: new }
        shipped: { type: string, format: date-time }
        weight: { type: number, minimum: 0 }
        isGift: { type: boolean, default: false }
        note: { type: string, nullable: true }
        size: { type: string, nullable: true, enum: [small, large] }
        tags: { type: array, items: { type: string, enum: [red, blue] } }
        owner: { type: object, properties: { kind: { type: string, enum: [person, firm] }, city: { type: string } } }
        labels: { type: object, additionalProperties: { type: string } }
        parts: { type: array, items: { $ref: '#/components/schemas/Part' } }
        payment: { $ref: '#/components/schemas/Payment' }`;

export const SHOP = `openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /items:
    get:
      operationId: listItems
      parameters:
        - { name: status, in: query, schema: { type: array, items: { type: string, enum: [new, used, broken] } } }
        - { name: sort, in: query, schema: { type: string, enum: [name, weight] } }
      responses:
        '200': { description: Items., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Item' } } } } }
    post:
      operationId: addItem
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewItem' } } } }
      responses:
        '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
  /items/{itemId}:
    parameters: [{ name: itemId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: readItem
      responses:
        '200': { description: Item., content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
    put:
      operationId: replaceItem
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewItem' } } } }
      responses: { '204': { description: Replaced. } }
    patch:
      operationId: changeItem
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/ItemPatch' } } } }
      responses:
        '200': { description: Changed., content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
components:
  schemas:
    Part: { type: object, required: [code], properties: { code: { type: string }, parts: { type: array, items: { $ref: '#/components/schemas/Part' } } } }
    Card: { type: object, required: [kind, number], properties: { kind: { type: string }, number: { type: string, pattern: '^[0-9]{4}$' } } }
    Transfer: { type: object, required: [kind, iban], properties: { kind: { type: string }, iban: { type: string } } }
    Payment:
      oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Transfer' }]
      discriminator: { propertyName: kind, mapping: { card: Card, transfer: Transfer } }
    ItemPatch:
      type: object
      minProperties: 1
      properties:${ITEM.replace(/, default: \w+/g, '')}
    NewItem:
      allOf: [{ $ref: '#/components/schemas/Stored' }]
      required: [name]
      properties:
        id: { type: integer, readOnly: true }
        password: { type: string, format: password, writeOnly: true }
    Stored:
      type: object
      properties:${ITEM}
    Item:
      allOf: [{ $ref: '#/components/schemas/Stored' }]
      required: [id]
      properties: { id: { type: integer } }
`;

export interface ShopAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a test breaks; by default nothing. */
export interface ShopFaults {
  /** Changes what is stored of a request. */
  store?: (record: Json, method: string) => Json;
  /** Answers in place of the shop. */
  answer?: (method: string, body: Json, url: URL) => ShopAnswer | undefined;
  /** Changes what is answered with. */
  present?: (record: Json, method: string) => unknown;
}

export const shop = createWitness(SHOP);

/** A merge patch of the first level (RFC 7396). */
const merge = (record: Json, patch: Json): Json =>
  Object.fromEntries(Object.entries({ ...record, ...patch }).filter(([, value]) => value !== null));

const unchanged = (record: Json): Json => record;

export function withShop() {
  const faults: ShopFaults = {};
  const items = new Map<number, Json>();
  const sent: { readonly method: string; readonly url: string; readonly body: Json }[] = [];

  function answer(method: string, url: URL, body: Json): ShopAnswer {
    const { store = unchanged, present = unchanged } = faults;
    const given = faults.answer?.(method, body, url);
    if (given !== undefined) return given;
    const id = Number(url.pathname.split('/')[2] ?? 0);
    if (method === 'GET' && id === 0) return { status: 200, body: [...items.values()].slice(-2) };
    if (method === 'POST') {
      const made: Json = { status: 'new', isGift: false, ...store(merge({}, body), method), id: items.size + 1 };
      items.set(items.size + 1, made);
      return { status: 201, body: present(made, method) };
    }
    const before = items.get(id);
    if (before === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, body: present(before, method) };
    const after =
      method === 'PUT' ? { status: 'new', isGift: false, ...store(merge({}, body), method), id } : store(merge(before, body), method);
    items.set(id, after);
    return method === 'PUT' ? { status: 204 } : { status: 200, body: present(after, method) };
  }

  const app = withApp(() =>
    listenOnFreePort(
      http.createServer(async (request, response) => {
        let text = '';
        for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
        const { method = '', url = '' } = request;
        const body = (text === '' ? {} : JSON.parse(text)) as Json;
        sent.push({ method, url, body });
        const given = answer(method, new URL(url, 'http://localhost'), body);
        const type = given.body === undefined ? {} : { 'Content-Type': 'application/json' };
        response.writeHead(given.status, { ...type, ...given.headers });
        response.end(given.body === undefined ? undefined : JSON.stringify(given.body));
      }),
    ),
  );

  const lampId = async (): Promise<number> => {
    items.set(items.size + 1, { id: items.size + 1, name: 'Lamp', status: 'new', isGift: false });
    return items.size;
  };
  const scenarios: Record<string, () => Promise<readonly object[]>> = {
    'listItems 200': async () => [{}],
    'addItem 201': async () => [{}],
    'readItem 200': async () => [{ path: { itemId: await lampId() } }],
    'replaceItem 204': async () => [{ path: { itemId: await lampId() } }],
    'changeItem 200': async () => [{ path: { itemId: await lampId() }, body: { name: 'Chair' } }],
  };
  const walk = (more: Partial<Walk<object>> = {}): Walk<object> => ({
    spec: shop,
    client: createOperationClient({ spec: more.spec ?? shop, servers: { live: app.url } }),
    world: {},
    scenarioFor: ({ id }, status) => scenarios[`${id} ${status}`],
    scenariosFile: 'scenarios.ts',
    exemptionsFile: 'exemptions.json',
    ...more,
  });
  return { faults, items, sent, scenarios, walk };
}

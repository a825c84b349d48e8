/** Schemas at /docs as rows, alternatives as tabs, and the items of streams, for documents of every version. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { scaleTimeout } from 'specwright/testing';
import { serveDocument, type DocumentServer } from './serve-document.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });

const SCHEMAS = {
  Node: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 50, pattern: '^[a-z]+$', description: 'What it is **called**.' },
      secret: { type: 'string', writeOnly: true },
      id: { type: 'integer', format: 'int64', readOnly: true },
      kind: { type: 'string', enum: ['leaf', 'branch'], default: 'leaf' },
      children: { type: 'array', maxItems: 9, items: ref('Node') },
    },
  },
  Card: { type: 'object', required: ['by', 'number'], properties: { by: { type: 'string' }, number: { type: 'string' } } },
  Transfer: { type: 'object', required: ['by', 'iban'], properties: { by: { type: 'string' }, iban: { type: 'string' } } },
  Payment: {
    oneOf: [ref('Card'), ref('Transfer')],
    discriminator: { propertyName: 'by', mapping: { 'by-card': '#/components/schemas/Card', transfer: '#/components/schemas/Transfer' } },
  },
  Pet: { type: 'object', required: ['type'], properties: { type: { type: 'string' } }, discriminator: { propertyName: 'type' } },
  Cat: { allOf: [ref('Pet'), { type: 'object', properties: { lives: { type: 'integer', minimum: 1, maximum: 9 } } }] },
  Dog: { allOf: [ref('Pet'), { type: 'object', properties: { bark: { type: 'boolean' } } }] },
  Event: {
    oneOf: ['added', 'gone'].map((name) => ({
      type: 'object',
      required: ['event', 'data'],
      properties: {
        event: { type: 'string', enum: [name] },
        data: { type: 'object', properties: { count: { type: 'integer', example: 7 } } },
      },
    })),
  },
};

const post = (operationId: string, name: string) => ({
  post: {
    operationId,
    requestBody: { required: true, content: json(ref(name)) },
    responses: { 200: { description: 'It.', content: json(ref(name)) } },
  },
});

const documentOf = (openapi: string) => ({
  openapi,
  info: { title: 'Schemas', version: '1' },
  paths: {
    '/nodes': post('addNode', 'Node'),
    '/payments': post('pay', 'Payment'),
    '/pets': post('addPet', 'Pet'),
    '/events': {
      get: {
        operationId: 'listen',
        responses: {
          200: {
            description: 'Events.',
            content: {
              'text/event-stream': { 'x-item-schema': ref('Event') },
              'application/jsonl': { 'x-item-schema': ref('Node') },
            },
          },
        },
      },
    },
  },
  components: { schemas: SCHEMAS },
});

export function testSchemas(browser: () => Browser): void {
  describe.each(['3.0.3', '3.1.1'])('OpenAPI %s', (version) => {
    let server: DocumentServer;
    let page: Page;
    const said: string[] = [];
    beforeAll(async () => {
      server = await serveDocument(documentOf(version));
      page = await browser().newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
      page.setDefaultTimeout(scaleTimeout(10_000));
      page.on('console', (message) => void said.push(message.text()));
      page.on('pageerror', (error) => void said.push(error.message));
      await page.goto(`http://127.0.0.1:${server.port}/docs`);
    });
    afterAll(async () => {
      await page.close();
      await server.stop();
    });

    const open = async (id: string, part: '.opblock-section-request-body' | '.responses-table') => {
      const operation = page.locator(`.opblock[id$="-${id}"]`);
      if ((await operation.locator('.opblock-body').count()) === 0) await operation.locator('.opblock-summary-control').click();
      await operation.locator(part).getByRole('tab', { name: 'Schema' }).click();
      return operation.locator(part).locator('.docs-schema');
    };
    const names = (rows: Awaited<ReturnType<typeof open>>) => rows.locator('.docs-property > code').allInnerTexts();

    test('a property is a row with type, constraints, what is required, and its description; deeper ones are folded', async () => {
      const schema = await open('addNode', '.opblock-section-request-body');
      expect(await names(schema)).toEqual(['name', 'secret', 'kind', 'children']);
      const row = (name: string) => schema.locator('.docs-properties > li', { has: page.getByText(name, { exact: true }) }).first();
      expect((await row('name').innerText()).split(/\n+/)).toEqual([
        'name',
        'string',
        'required',
        'What it is called.',
        '1 to 50 characters · pattern ^[a-z]+$',
      ]);
      expect(await row('kind').innerText()).toContain('leaf, branch · default leaf');
      expect(await row('children').innerText()).toMatch(/array of Node\s+at most 9 items/);
      await row('children').getByText('Items', { exact: true }).click();
      await row('children').locator('.docs-properties').first().waitFor();
      expect(await names(await open('addNode', '.responses-table'))).toEqual(['name', 'id', 'kind', 'children']);
    });

    test('alternatives are tabs, labelled by the discriminator; children of a schema, too', async () => {
      const payment = await open('pay', '.opblock-section-request-body');
      const tabs = payment.getByRole('group', { name: 'One of' }).getByRole('button');
      expect(await tabs.allInnerTexts()).toEqual(['by-card', 'transfer']);
      expect(await names(payment)).toEqual(['by', 'number']);
      await tabs.last().click();
      expect(await names(payment)).toEqual(['by', 'iban']);
      const pet = await open('addPet', '.opblock-section-request-body');
      expect(await pet.getByRole('button').allInnerTexts()).toEqual(['Cat', 'Dog']);
      expect(await names(pet)).toEqual(['type', 'lives']);
    });

    test('a stream shows an example of each item, and its schema', async () => {
      const schema = await open('listen', '.responses-table');
      expect(await schema.getByRole('button').allInnerTexts()).toEqual(['added', 'gone']);
      expect(await names(schema)).toEqual(['event', 'data']);
      const response = page.locator('.opblock[id$="-listen"] .responses-table');
      await response.getByRole('tab', { name: 'Example Value' }).click();
      expect((await response.locator('pre').first().innerText()).trim()).toBe(
        'event: added\ndata: {"count":7}\n\nevent: gone\ndata: {"count":7}',
      );
      await response.getByRole('combobox').selectOption('application/jsonl');
      expect(await response.locator('pre').first().innerText()).toMatch(/"name": "text"[^]*"kind": "leaf"/);
    });

    test('nothing is said in the console', () => expect(said).toEqual([]));
  });
}

/** Writes what a client knows of webhooks: the types of the payloads, and how each is recognized. */
import {
  listOutgoing,
  outgoingBody,
  outgoingTable,
  requiredOf,
  resolve,
  schemaShape,
  valuesOf,
  type Document,
  type DocumentOutgoing,
  type Schema,
} from '@specwright/contract/document';
import { outgoingTypeKey } from '../generate/types-document.ts';

/** What a service sends that a receiver can be made for. */
export function listWebhooks(document: Document): DocumentOutgoing[] {
  const table = outgoingTable(document);
  return listOutgoing(document).filter(({ name }) => Object.hasOwn(table, name));
}

/** @returns TypeScript: the interface `WebhookPayloads` and the table `WEBHOOKS`. */
export function webhookTable(document: Document): string {
  const webhooks = listWebhooks(document);
  const types = webhooks.map((one) => `  ${JSON.stringify(one.name)}: ${payloadType(document, one)};\n`);
  const entries = webhooks.map((one) => `  ${JSON.stringify(one.name)}: ${JSON.stringify(entryOf(document, one))},\n`);
  return (
    `/** What the service sends: the payload of each webhook and callback. */\nexport interface WebhookPayloads {\n${types.join('')}}\n\n` +
    `const WEBHOOKS: Readonly<Record<keyof WebhookPayloads, WebhookEntry>> = {\n${entries.join('')}};\n`
  );
}

function payloadType(document: Document, outgoing: DocumentOutgoing): string {
  const body = outgoingBody(document, outgoing);
  if (body === undefined) return 'undefined';
  const operation = `webhooks[${JSON.stringify(outgoingTypeKey(outgoing))}]['${outgoing.method}']`;
  return `Read<NonNullable<${operation}['requestBody']>['content'][${JSON.stringify(body.type)}]>${body.isRequired ? '' : ' | undefined'}`;
}

/** As `WebhookEntry` of the runtime. Tags are required texts, so what has none has no required properties, or others. */
function entryOf(document: Document, outgoing: DocumentOutgoing): object {
  const body = outgoingBody(document, outgoing);
  if (body === undefined) return { body: 'none' };
  const optional = body.isRequired ? {} : { body: 'optional' };
  if (body.schema === undefined) return optional;
  const schema = resolve<Schema>(document, body.schema);
  const { properties } = schemaShape(document, [schema]);
  const required = requiredOf(schema);
  const tags = required.flatMap((name) => {
    const values = properties.get(name)?.map((property) => valuesOf(resolve<Schema>(document, property)));
    const texts = values?.find((listed) => listed?.every((value) => typeof value === 'string'));
    return texts === undefined ? [] : [[name, texts] as const];
  });
  return { ...(tags.length > 0 && { tags: Object.fromEntries(tags) }), ...(required.length > 0 && { required }), ...optional };
}

/** Writes `outgoing.ts`: what a service sends by its contract, with the types of the bodies and a table. */
import {
  listOutgoing,
  outgoingBody,
  outgoingTable,
  unsupportedExpressions,
  type Document,
  type DocumentOutgoing,
} from '@specwright/contract/document';
import { outgoingTypeKey } from './types-document.ts';

/** @returns TypeScript; `undefined` for a document that declares neither webhooks nor callbacks. */
export function outgoingModule(document: Document): string | undefined {
  const table = outgoingTable(document);
  const outgoing = listOutgoing(document).filter(({ name }) => Object.hasOwn(table, name));
  if (outgoing.length === 0) return undefined;
  const urls = outgoing.filter(({ callback }) => callback !== undefined && unsupportedExpressions(callback.expression).length === 0);
  const types = outgoing.map((one) => `  readonly ${JSON.stringify(one.name)}: ${typeOf(document, one)};\n`);
  return [
    urls.length > 0
      ? `import * as server from '@specwright/server';\nimport type { Input } from './contract.ts';\n`
      : `import type * as server from '@specwright/server';\n`,
    outgoing.some(({ operation }) => operation.requestBody !== undefined) ? `import type { webhooks } from './openapi.ts';\n` : '',
    `\n/** The body of each webhook and callback that the service sends, by the name of the function that sends it. */\n`,
    `export interface OutgoingTypes {\n${types.join('')}}\n`,
    `\n/** What \`createSender\` and \`createWorker\` of @specwright/accounts/webhooks take. */\n`,
    `export const outgoing: server.GeneratedOutgoing<OutgoingTypes> = {\n  table: ${JSON.stringify(table, null, 2).replaceAll('\n', '\n  ')},\n};\n`,
    urls.length > 0 ? `\n${callbackUrls(urls)}` : '',
  ].join('');
}

function typeOf(document: Document, outgoing: DocumentOutgoing): string {
  const kind = outgoing.callback === undefined ? 'server.OutgoingWebhook' : 'server.OutgoingCallback';
  const body = outgoingBody(document, outgoing);
  if (body === undefined) return `${kind}<undefined>`;
  const operation = `webhooks[${JSON.stringify(outgoingTypeKey(outgoing))}]['${outgoing.method}']`;
  const type = `NonNullable<${operation}['requestBody']>['content'][${JSON.stringify(body.type)}]`;
  return `${kind}<${type}${body.isRequired ? '' : ' | undefined'}>`;
}

const callbackUrls = (outgoing: readonly DocumentOutgoing[]): string =>
  `/** The URL that a request asks to be called back at; \`undefined\` if it names none. Check it with \`checkWebhookUrl\` before it is stored. */\n` +
  `export const callbackUrls = {\n${outgoing
    .map(({ name, callback: { operationId, expression } = { operationId: '', expression: '' } }) => {
      const input = `Input<${JSON.stringify(operationId)}>`;
      return `  ${JSON.stringify(name)}: (input: ${input}): string | undefined => server.callbackUrl(${JSON.stringify(expression)}, input),\n`;
    })
    .join('')}};\n`;

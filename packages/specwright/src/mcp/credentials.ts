/** How a key is sent to a server, by the security schemes of its contract. */
import { securityRequirementsOf, type Document, type SecuritySchemeDefinition } from '@specwright/contract/document';
import type { OperationTool } from '@specwright/server/mcp';

export interface SentCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Of the query: `name=value`, encoded. */
  readonly query: string | undefined;
}

/** Whether every call of a tool needs credentials. */
export const needsCredentials = (document: Document, { operation }: OperationTool): boolean => {
  const alternatives = securityRequirementsOf(document, operation);
  return alternatives.length > 0 && alternatives.every((schemes) => schemes.length > 0);
};

/** @returns what a key is for the first security scheme of the tool that needs one alone; `undefined` if none does. */
export function credentialsOf(document: Document, { operation }: OperationTool, key: string): SentCredentials | undefined {
  const alternatives = securityRequirementsOf(document, operation);
  const scheme = alternatives.find((schemes) => schemes.length === 1)?.[0];
  return scheme && sentAs(scheme.definition, key);
}

function sentAs(definition: SecuritySchemeDefinition, key: string): SentCredentials {
  if (definition.type === 'apiKey') {
    const { name, in: location } = definition;
    if (location === 'query') return { headers: {}, query: `${encodeURIComponent(name)}=${encodeURIComponent(key)}` };
    return { headers: location === 'header' ? { [name]: key } : { Cookie: `${name}=${key}` }, query: undefined };
  }
  const isBasic = definition.type === 'http' && definition.scheme.toLowerCase() === 'basic';
  return { headers: { Authorization: isBasic ? `Basic ${Buffer.from(key).toString('base64')}` : `Bearer ${key}` }, query: undefined };
}

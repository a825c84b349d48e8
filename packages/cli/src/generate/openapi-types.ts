/** Makes the types of a document by openapi-typescript, and corrects what it makes of names and of required properties. */
import openapiTS, { astToString, stringToAST, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { listOperations, type Document, type SourceDocument } from '@specwright/server/document';
import { moveAdditionalMethods } from './additional-methods.ts';
import { bigIntegerType, prepareBigIntegers } from './big-integer-types.ts';
import { bodyDefaults } from './body-defaults.ts';
import { hoistReferences } from './hoist-references.ts';

/**
 * openapi-typescript's own requires that every value of T has the properties, which null, undefined and the branches of a
 * union need not.
 */
const WITH_REQUIRED = 'type WithRequired<T, K extends PropertyKey> = T extends object ? T & Required<Pick<T, K & keyof T>> : T;';

/** @returns TypeScript with `paths`, `components`, `operations` and `bodyDefaults`. */
export async function openapiTypes({ document, digest }: SourceDocument): Promise<string> {
  const copy = moveAdditionalMethods(hoistReferences(structuredClone(document)));
  prepareBigIntegers(copy);
  const ids = replaceIds(copy, digest);
  // `readWriteMarkers`: readOnly and writeOnly stay visible, so that `Input` and `Reply` can tell requests from responses.
  // `defaultNonNullable`: a default makes a property required in requests only, which `bodyDefaults` says.
  const nodes = await openapiTS(copy as OpenAPI3, {
    readWriteMarkers: true,
    defaultNonNullable: false,
    silent: true,
    transform: bigIntegerType,
  });
  for (const node of nodes) restoreIds(node, ids);
  const types = astToString(nodes.map((node) => (isNamed(node, 'WithRequired') ? (stringToAST(WITH_REQUIRED)[0] as ts.Node) : node)));
  return `${types}\n${bodyDefaults(document)}`;
}

/** openapi-typescript reads an operationId as a part of a JSON pointer, in which `#`, `%` and `~` mean something. */
function replaceIds(document: Document, digest: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { operation } of listOperations(document)) {
    const { operationId: id = '' } = operation;
    if (/^[\w.-]*$/.test(id)) continue;
    // No document contains its own digest.
    operation.operationId = `operation-${ids.size}-${digest}`;
    ids.set(operation.operationId, id);
  }
  return ids;
}

function restoreIds(node: ts.Node, ids: ReadonlyMap<string, string>): void {
  if (ids.size === 0) return;
  const id = ts.isStringLiteral(node) ? ids.get(node.text) : undefined;
  if (id !== undefined) (node as ts.StringLiteral).text = id;
  node.forEachChild((child) => restoreIds(child, ids));
}

const isNamed = (node: ts.Node, name: string): boolean => ts.isTypeAliasDeclaration(node) && node.name.text === name;

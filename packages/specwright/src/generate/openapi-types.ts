/** Makes the types of a document by openapi-typescript, and corrects what it makes of names and of required properties. */
import { astToString, resolveRef, stringToAST, transformSchema, type GlobalContext, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { listOperations, type Document, type SourceDocument } from '@specwright/contract/document';
import { bigIntegerType, prepareBigIntegers } from './big-integer-types.ts';
import { bodyDefaults } from './body-defaults.ts';
import { createSchemaTypes } from './schema-type.ts';
import { typesDocument } from './types-document.ts';

/**
 * openapi-typescript's own requires that every value of T has the properties, which null, undefined and the branches of a
 * union need not.
 */
const WITH_REQUIRED = 'type WithRequired<T, K extends PropertyKey> = T extends object ? T & Required<Pick<T, K & keyof T>> : T;';

/** @returns TypeScript with `paths`, `webhooks`, `components`, `operations` and `bodyDefaults`. */
export function openapiTypes({ document, published, digest }: Pick<SourceDocument, 'document' | 'published' | 'digest'>): string {
  const copy = typesDocument(document, published);
  prepareBigIntegers(copy);
  const ids = replaceIds(copy, digest);
  const nodes = transformSchema(copy as OpenAPI3, contextOf(copy));
  for (const node of nodes) restoreIds(node, ids);
  const types = astToString(nodes.map((node) => (isNamed(node, 'WithRequired') ? (stringToAST(WITH_REQUIRED)[0] as ts.Node) : node)));
  return `${types}\n${bodyDefaults(document)}`;
}

/**
 * What the default function of openapi-typescript would make of options. That function lints and bundles first, which takes longer than
 * the types of a document that was checked and is in one piece.
 */
function contextOf(document: Document): GlobalContext {
  const schemaType = createSchemaTypes();
  return {
    // readOnly and writeOnly stay visible, so that `Input` and `Reply` can tell requests from responses.
    readWriteMarkers: true,
    // A default makes a property required in requests only, which `bodyDefaults` says.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform: (schema, options) => bigIntegerType(schema) ?? schemaType(schema, options),
    transformProperty: undefined,
    postTransform: undefined,
    // The discriminators are in the branches that they choose: see `simplifySchema`.
    discriminators: { objects: {}, refsHandled: [] },
    resolve: ($ref) => resolveRef(document, $ref, { silent: true }),
    injectFooter: [],
    inject: undefined,
    // No transformation reads it.
    redoc: undefined as never,
    silent: true,
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    conditionalEnums: false,
    dedupeEnums: false,
    enum: false,
    enumValues: false,
    excludeDeprecated: false,
    exportType: false,
    generatePathParams: false,
    immutable: false,
    makePathsEnum: false,
    pathParamsAsTypes: false,
    propertiesRequiredByDefault: false,
    rootTypes: false,
    rootTypesKeepCasing: false,
    rootTypesNoSchemaPrefix: false,
  };
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

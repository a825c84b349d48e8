/** The spec with a resource: its operations, schemas and what they refer to, appended to the text. */
import { isObject, parseSource, type Document, type SourceDocument } from '@specwright/contract/document';
import type { Components } from './components.ts';
import type { SchemaSource } from './schema-source.ts';
import { missingResponses } from './missing-responses.ts';
import { resourceOperations, type OperationOptions } from './resource-operations.ts';
import { resourceSchemas } from './resource-schemas.ts';
import { capitalized, type Resource } from '../resource.ts';
import { findUsualParts } from '../code/usual-parts.ts';
import { appendToYaml, styleOf, toYaml } from './yaml-insert.ts';

export interface SpecOptions {
  readonly source: SourceDocument;
  readonly resource: Resource;
  /** What properties refer to and the document does not have. */
  readonly components: Components;
  readonly id: SchemaSource;
  /** The tag of its operations; default: a new one, if operations have tags. */
  readonly tag: string | undefined;
}

const SECTIONS = ['parameters', 'headers', 'responses', 'schemas'] as const;

/** @returns the new document. @throws Error if the document is written so that nothing can be appended to it. */
export async function writeSpec({ source, resource, components, id, tag: given }: SpecOptions): Promise<SourceDocument> {
  const { document, file, source: text } = source;
  const { names } = resource;
  const style = styleOf(text);
  const usual = findUsualParts(source.original);
  const tags = tagsOf(document);
  const tag = given ?? (usual.tags ? capitalized(names.words) : undefined);
  const isNew = (name: string) => components.find('schemas', name) === undefined;
  const schemas = Object.entries(resourceSchemas(components.document(), resource, id, isNew(names.One))).flatMap(([name, one]) =>
    isNew(name) ? [{ [name]: one }] : [],
  );

  const compose = async (more: OperationOptions['more']): Promise<string> => {
    const operations = resourceOperations({ document, resource, components, usual, tag, id, more });
    const append = async (before: string, path: readonly string[], entries: readonly object[], isOperation = false) =>
      appendToYaml(before, path, await Promise.all(entries.map((entry) => toYaml(entry, style, isOperation))), style.indent);
    const each = (values: Readonly<Record<string, unknown>>) => Object.entries(values).map(([name, value]) => ({ [name]: value }));
    let result = await append(text, ['paths'], each(operations), true);
    if (tag !== undefined && Array.isArray(tags) && !hasTag(tags, tag))
      result = await append(result, ['tags'], [[{ name: tag, description: `${capitalized(names.words)}.` }]]);
    for (const section of SECTIONS) {
      const added = [...each(components.added[section]), ...(section === 'schemas' ? schemas : [])];
      result = await append(result, ['components', section], added);
    }
    return result;
  };
  // Once without what the defaults of the document may give them, to see what they do.
  const draft = parseSource(file, await compose(new Map()));
  const more = missingResponses({ document: draft.document, resource, components, usual });
  return parseSource(file, await compose(more));
}

const tagsOf = (document: Document): unknown => (document as { tags?: unknown }).tags;
const hasTag = (tags: readonly unknown[], tag: string): boolean => tags.some((one) => isObject(one) && one['name'] === tag);

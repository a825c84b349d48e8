/** The spec with a resource: its operations, schemas and what they refer to, appended to the text. */
import { type Document, type SourceDocument, isObject, parseSource } from '@specwright/contract/document';
import { type Resource, type SchemaSource } from '../resource.ts';
import { type Components, readSpecTemplate } from './components.ts';
import { type OperationContext, resourcePaths } from './resource-operations.ts';
import { resourceSchemas } from './resource-schemas.ts';
import { findUsualParts } from './usual-parts.ts';
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
export async function writeSpec(options: SpecOptions): Promise<SourceDocument> {
  const { source, resource, components, id } = options;
  const words = resource.names.Words;
  const usual = findUsualParts(source.original);
  const tag = options.tag ?? (usual.tags ? words : undefined);
  const template = readSpecTemplate(resource);
  const context: OperationContext = { document: source.document, resource, components, id, tag, usual, template };
  const { tags } = source.document as { tags?: unknown };
  const isNewTag = tag !== undefined && Array.isArray(tags) && !tags.some((one) => isObject(one) && one['name'] === tag);
  const schemas = Object.entries(resourceSchemas(components.document(), resource, id, template.components.schemas));
  const newSchemas = Object.fromEntries(schemas.filter(([name]) => components.find('schemas', name) === undefined));

  const style = styleOf(source.source);
  const compose = async (draft?: Document): Promise<SourceDocument> => {
    let text = source.source;
    const append = async (path: readonly string[], values: readonly object[], isOperation = false) => {
      const entries = await Promise.all(values.map((value) => toYaml(value, style, isOperation)));
      text = appendToYaml(text, path, entries, style.indent);
    };
    const each = (values: object) => Object.entries(values).map(([name, value]) => ({ [name]: value as unknown }));
    await append(['paths'], each(resourcePaths(context, draft)), true);
    if (isNewTag) await append(['tags'], [[{ name: tag, description: `${words}.` }]]);
    for (const section of SECTIONS)
      await append(['components', section], each({ ...components.added[section], ...(section === 'schemas' && newSchemas) }));
    return parseSource(source.file, text);
  };
  // Once without what the defaults of the document may give them, to see what they do.
  const { document } = await compose();
  return compose(document);
}

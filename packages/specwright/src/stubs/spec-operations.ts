/** The operations of a spec, with what stubs are made from. */
import { operationAt, operationTable, type SourceDocument } from '@specwright/contract/document';

export interface SpecOperation {
  readonly id: string;
  /** In lower case, as in the document. */
  readonly method: string;
  readonly path: string;
  /** One line; empty if the document has none. */
  readonly summary: string;
  readonly tags: readonly string[];
  /** The keys of `responses`: `200`, `4XX`, `default`. */
  readonly statuses: readonly string[];
}

/** Every operation of a document that has passed `checkDocument`, in the document's order. */
export function operationsOf({ document }: SourceDocument): SpecOperation[] {
  return Object.entries(operationTable(document)).map(([id, { method, path, responses }]) => {
    const { summary, tags } = (operationAt(document.paths[path], method) ?? {}) as { summary?: unknown; tags?: unknown };
    return {
      id,
      method,
      path,
      summary: typeof summary === 'string' ? summary.replace(/\s+/g, ' ').trim() : '',
      tags: Array.isArray(tags) ? tags.map(String) : [],
      statuses: Object.keys(responses),
    };
  });
}

/** `POST /users/{userId}/photos` */
export const formatOperation = ({ method, path }: Pick<SpecOperation, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

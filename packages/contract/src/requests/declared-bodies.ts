/** The bodies of an operation that can be validated: JSON, forms and multipart. */
import { bodyKind } from '../http/media-types.ts';
import { operationKeys, pointerTo, resolveAt, type Document, type DocumentOperation, type RequestBody } from '../document/openapi.ts';
import { createValueShape, type ValueShape } from '../codec/typed-values.ts';

export interface DeclaredBody {
  readonly type: string;
  readonly media: RequestBody['content'][string];
  readonly schemaPointer: string | undefined;
}

export function bodiesOf(document: Document, { path, method, operation }: DocumentOperation): DeclaredBody[] {
  if (operation.requestBody === undefined) return [];
  const { value, pointer } = resolveAt<RequestBody>(
    document,
    operation.requestBody,
    pointerTo(...operationKeys({ path, method }), 'requestBody'),
  );
  return Object.entries(value.content)
    .filter(([type]) => ['json', 'form', 'multipart'].includes(bodyKind(type)))
    .map(([type, media]) => ({
      type,
      media,
      schemaPointer: media.schema === undefined ? undefined : pointer + pointerTo('content', type, 'schema').slice(1),
    }));
}

/** The shapes of an operation's bodies by their types, each made when it is first asked for. */
export function createBodyShapes(document: Document, operation: DocumentOperation): (type: string) => ValueShape {
  const shapes = new Map<string, ValueShape>();
  return (type) => {
    let shape = shapes.get(type);
    if (shape === undefined) {
      const { schema = {} } = bodiesOf(document, operation).find((body) => body.type === type)?.media ?? {};
      shapes.set(type, (shape = createValueShape(document, schema)));
    }
    return shape;
  };
}

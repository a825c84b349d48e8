/** References whose target is of another kind, and names that are near to one that leads nowhere. */
import { nearestName } from '../document/nearest-name.ts';
import type { ComponentSection } from '../document/object-kinds.ts';
import { type Document, isObject, pointerKeys, pointerTo } from '../document/openapi.ts';
import { visitDocument, type DocumentPath } from '../document/visit-schemas.ts';

/** What the sections of `components` hold. */
const KINDS: Readonly<Record<ComponentSection, string>> = {
  schemas: 'a schema',
  parameters: 'a parameter',
  headers: 'a header',
  responses: 'a response',
  requestBodies: 'a request body',
  links: 'a link',
  callbacks: 'a callback',
  pathItems: 'a path item',
  mediaTypes: 'a media type',
  examples: 'an example',
  securitySchemes: 'a security scheme',
};

export interface MisplacedReference {
  /** The path of the `$ref`, and the JSON pointer that it names. */
  readonly path: DocumentPath;
  readonly target: string;
  readonly message: string;
}

/** The references to a component of another section than the one whose components are used here. */
export function misplacedReferences(document: Document): MisplacedReference[] {
  const found: MisplacedReference[] = [];
  const kinds: Readonly<Record<string, string | undefined>> = KINDS;
  visitDocument(document, {
    reference: (target, path, section) => {
      const [components, named = '', ...rest] = target.startsWith('#/') ? pointerKeys(target) : [];
      const kind = kinds[named];
      if (components !== 'components' || kind === undefined || named === section || rest.length !== 1) return;
      found.push({ path: [...path, '$ref'], target, message: `${target} is ${kind}, and ${KINDS[section]} is needed here (struct)` });
    },
  });
  return found;
}

/** The pointer that a pointer to nothing was meant to be; none if no name is near. */
export function nearestPointers(document: Document, pointer: string): string[] {
  if (!pointer.startsWith('#/')) return [];
  let parent: unknown = document;
  const keys: string[] = [];
  for (const key of pointerKeys(pointer)) {
    if (!isObject(parent)) return [];
    const name = Object.hasOwn(parent, key) ? key : nearestName(key, Object.keys(parent));
    if (name === undefined) return [];
    keys.push(name);
    parent = parent[name];
  }
  return [pointerTo(...keys)];
}

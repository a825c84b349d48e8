/** Where the objects of a document may be: what tools ask that read, bundle and check it. */
import { type ComponentSection, type Content, FIELDS, type Kind, kindOf, sectionOf, SECTIONS } from './object-kinds.ts';

/** Sections that OpenAPI 3.0 lacks: what they have is written out in place of a reference to it. */
const WRITTEN_OUT: readonly string[] = ['pathItems', 'mediaTypes'];

/** The sections whose parts may be components of any document. */
export const BUNDLED_SECTIONS = Object.values(SECTIONS).filter((section) => !WRITTEN_OUT.includes(section));

/** The section that an object of another file becomes a component of. */
export const bundledSectionOf = (kind: string): ComponentSection | undefined => {
  const section = sectionOf(kind);
  return section === undefined || WRITTEN_OUT.includes(section) ? undefined : section;
};

/** The kind of the object at these keys from the root of a document; `undefined` where it has data, or a map or a list of objects. */
export function kindAt(keys: readonly (string | number)[]): Kind | undefined {
  const content = contentAt(keys);
  return content !== undefined && kindOf(content) === content ? content : undefined;
}

export const isDataAt = (keys: readonly string[]): boolean => contentAt(keys) === undefined;

function contentAt(keys: readonly (string | number)[]): Content | undefined {
  let content: Content | undefined = 'document';
  for (const key of keys) {
    if (content === undefined) return undefined;
    const kind = kindOf(content);
    content = kind !== content ? kind : (FIELDS[kind][key] ?? FIELDS[kind]['*']);
  }
  return content;
}

/** The URIs by which the parts of a document are known (`$id`, and `$self` of OpenAPI 3.2): a reference to one leads to no file. */

/** @returns whether a reference, as written, names a part of the document by its URI. */
export function identifiersOf(document: unknown): (reference: string) => boolean {
  let identifiers: ReadonlySet<string> | undefined;
  return (reference) => {
    if (reference.startsWith('#')) return false;
    // Looked for only if something refers to more than a pointer.
    identifiers ??= new Set(identifiersIn(document));
    const [uri = ''] = reference.split('#');
    if (identifiers.has(uri)) return true;
    return [...identifiers].some((base) => URL.canParse(uri, base) && identifiers?.has(new URL(uri, base).href) === true);
  };
}

function* identifiersIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if ((key === '$id' || key === '$self') && typeof part === 'string') yield part.replace(/#$/, '');
    else yield* identifiersIn(part);
  }
}

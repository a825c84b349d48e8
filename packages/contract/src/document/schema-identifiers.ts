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

/** Each as written, and as it is from the base that the identifiers around it give. */
function* identifiersIn(value: unknown, base?: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { $id, $self } = value as { $id?: unknown; $self?: unknown };
  let within = base;
  for (const uri of [$self, $id]) {
    if (typeof uri !== 'string') continue;
    yield uri.replace(/#$/, '');
    if (!URL.canParse(uri, within)) continue;
    within = new URL(uri, within).href.replace(/#$/, '');
    yield within;
  }
  for (const part of Object.values(value)) yield* identifiersIn(part, within);
}

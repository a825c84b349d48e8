/** Copies the documents that references name by URL into the project, and refers to the copies. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ContractError, type Problem, createPartReader, isObject, parseSource, parseYaml, readText } from '@specwright/contract/document';
import { writeAll } from '../files/write-all.ts';
import { displayPath } from '../project-config.ts';
import { assertUnedited, digestOf, fileOf, readDigests } from './digests.ts';
import { editReferences, withAbsoluteReferences } from './edit-references.ts';
import { assertFetchable, fetchDocument } from './fetch-document.ts';

const MAX_DOCUMENTS = 50;

/**
 * Writes the copies, into the folder `vendor` beside the first document, their digests and the documents that refer to them: all or none.
 *
 * @param root the folder that is written in. @param isUpdate whether to fetch again what there are copies of. @returns what was done, by line.
 * @throws Error if a copy was edited, a document cannot be fetched, or a reference leads nowhere.
 */
export async function vendorDocuments(root: string, specs: readonly string[], isUpdate: boolean): Promise<string[]> {
  const folder = join(dirname(resolve(specs[0] ?? '')), 'vendor');
  const digests = join(folder, 'digests.json');
  const former = readDigests(digests);
  if (!isUpdate) assertUnedited(folder, former);
  const { copies, texts, fetch, refer } = createVendor(folder, isUpdate ? new Map() : former);
  if (isUpdate) for (const url of former.keys()) await fetch(new URL(url));
  for (const spec of specs) await refer(displayPath(spec));
  if (texts.size === 0) return [`${copies.size} copies in ${displayPath(folder)}: nothing to fetch`];

  const files = new Map([...texts].map(([path, text]) => [relative(root, path), text]));
  const created: string[] = [];
  const lines = new Map([...texts.keys()].map((path) => [path, `${displayPath(path)}: refers to copies`]));
  for (const [url, copy] of copies) {
    const path = join(folder, copy.file);
    const text = texts.get(path);
    if (text === undefined) continue;
    if (!former.has(url)) created.push(relative(root, path));
    lines.set(path, `${displayPath(path)}: ${changeOf(path, text) ?? `fetched from ${url}`}`);
    copies.set(url, { ...copy, sha256: digestOf(text) });
  }
  files.set(relative(root, digests), `${JSON.stringify(Object.fromEntries([...copies].sort()), null, 2)}\n`);
  writeAll(root, files, created);
  return [...lines.values()];
}

function changeOf(path: string, text: string): string | undefined {
  if (!existsSync(path)) return undefined;
  return readFileSync(path, 'utf8') === text ? 'unchanged' : 'changed';
}

/** `texts` are what is to be written, by absolute path; `copies` are by URL. */
function createVendor(folder: string, former: ReturnType<typeof readDigests>) {
  const texts = new Map<string, string>();
  const copies = new Map(former);
  const urlOfFile = (path: string) => [...copies].find(([, { file }]) => join(folder, file) === resolve(path))?.[0];

  async function fetch(url: URL): Promise<void> {
    if (copies.size >= MAX_DOCUMENTS) throw new Error(`the references lead to more than ${MAX_DOCUMENTS} documents: nothing was written`);
    const file = fileOf(url);
    const other = urlOfFile(join(folder, file));
    if (other !== undefined) throw new Error(`${url.href} and ${other} would both be ${file}: nothing was written. Refer to one of them`);
    const { text, location } = await fetchDocument(url);
    if (!isObject(parseYaml(url.href, text).toJS())) throw new Error(`${url.href} is no document of YAML or JSON: nothing was written`);
    copies.set(url.href, { file, sha256: '', date: new Date().toISOString().slice(0, 10) });
    texts.set(join(folder, file), withAbsoluteReferences(text, location));
  }

  /** Makes a document, and the copies that it leads to, refer to copies. */
  async function refer(spec: string): Promise<void> {
    const fromDisk = createPartReader(spec);
    const read = (part: string) => texts.get(resolve(part)) ?? fromDisk(part);
    for (let found = remoteReferences(spec, read); found.length > 0; found = remoteReferences(spec, read)) {
      for (const reference of found) {
        const url = fetchableUrl(reference, urlOfFile(reference.file));
        if (!copies.has(url.href)) await fetch(url);
      }
      for (const file of new Set(found.map((one) => one.file))) {
        const before = read(file) ?? '';
        const after = editReferences(file, before, ({ value, ...at }) => {
          const isFound = found.some((one) => one.file === file && one.line === at.line && one.column === at.column && one.url === value);
          return isFound ? pathTo(value, file) : undefined;
        });
        // A reference that is a key stays refused.
        if (after === before) throw new ContractError(spec, found);
        texts.set(resolve(file), after);
      }
    }
  }

  function pathTo(reference: string, from: string): string {
    const [url = '', ...fragment] = reference.split('#');
    const path = relative(dirname(resolve(from)), join(folder, fileOf(new URL(url))))
      .split(sep)
      .join('/');
    return [path.startsWith('../') ? path : `./${path}`, ...fragment].join('#');
  }

  return { texts, copies, fetch, refer };
}

type Remote = Problem & { readonly file: string; readonly url: string };

/** The references to URLs in a document and its parts. @throws ContractError if there are none, and others cannot be resolved. */
function remoteReferences(spec: string, read: (part: string) => string | undefined): Remote[] {
  try {
    parseSource(spec, read(spec) ?? readText(spec), { read });
    return [];
  } catch (error) {
    const problems = error instanceof ContractError ? error.problems : [];
    const found = problems.flatMap(({ url, file = spec, ...at }) => (url === undefined ? [] : [{ ...at, file, url }]));
    if (found.length === 0) throw error;
    return found;
  }
}

/** @param from the URL of the document that has the reference. @throws Error with the place of one that is not fetched. */
function fetchableUrl({ file, line, url: reference }: Remote, from: string | undefined): URL {
  try {
    const url = new URL(reference);
    url.hash = '';
    assertFetchable(url, from === undefined ? undefined : new URL(from));
    return url;
  } catch (cause) {
    throw new Error(`${displayPath(file)}:${line} $ref ${reference}: ${(cause as Error).message}`, { cause });
  }
}

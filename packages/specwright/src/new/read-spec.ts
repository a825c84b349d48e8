/** Reads the document of a new project: in the files that it is written in, or else in one. */
import {
  ContractError,
  type ReadOptions,
  type SourceDocument,
  assertSchemasCompile,
  checkDocument,
  parseSource,
} from '@specwright/contract/document';
import { bundleSource, readSupported } from '../bundle/bundle-spec.ts';
import type { ProjectOptions } from './compose-project.ts';
import { CannotKeep, keepFiles } from './keep-files.ts';

type ProjectSpec = Pick<ProjectOptions, 'source' | 'specFiles'>;

interface ReadSpec extends ProjectSpec {
  /** As it was given: problems are located in its files. */
  readonly original: SourceDocument;
}

/**
 * @param report is given a line if the document is not in one file, or changed.
 * @throws Error with everything that keeps the document from being served.
 */
export async function readSpec(file: string, options: ReadOptions, report: (line: string) => void): Promise<ReadSpec> {
  const original = readSupported(file, options);
  const problems = await checkDocument(original);
  if (problems.length > 0) throw new ContractError(file, problems);
  assertSchemasCompile(original);
  return { original, ...(original.files.length > 1 ? keepOrBundle(original, report) : bundle(original, report)) };
}

function keepOrBundle(original: SourceDocument, report: (line: string) => void): ProjectSpec {
  try {
    const { source, files } = keepFiles(original);
    report(`kept ${files.size} files: the document is ${source.file}`);
    return { source, specFiles: files };
  } catch (error) {
    if (!(error instanceof CannotKeep)) throw error;
    return bundle(original, (note) => report(`${note}, which cannot be kept: ${error.message}`));
  }
}

function bundle(original: SourceDocument, report: (line: string) => void): ProjectSpec {
  const { text, notes } = bundleSource(original);
  for (const note of notes) report(note);
  return { source: text === original.source ? original : parseSource(original.file, text) };
}

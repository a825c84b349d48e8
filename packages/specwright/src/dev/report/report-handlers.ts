/** Compares the handlers with the spec: reports what is missing and what is obsolete, or writes the stubs if it may. */
import { type SourceDocument, formatProblem, operationKeys, quotedPath } from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { gitIn } from 'openapi-compare/checkout';
import type { ProjectConfig } from '../../project-config.ts';
import { contractArgument } from '../../select-contracts.ts';
import { addStubs, findGaps, formatObsolete, formatStubs } from '../../stubs/add-stubs.ts';
import { type FormerOperations, type ObsoleteHandler, isMember } from '../../stubs/obsolete-handlers.ts';
import { formatOperation } from '../../stubs/find-handlers.ts';
import { locationOf } from '../../stubs/typescript-source.ts';
import type { TypeChecker } from '../compiler/type-checker.ts';
import { type Screen, fixFirst } from './screen.ts';

export interface HandlerParts {
  readonly project: ProjectConfig;
  /** The spec, from the root. */
  readonly spec: string;
  /** Whether stubs are written at each save. */
  readonly stubs: boolean;
  readonly screen: Screen;
  readonly types: TypeChecker;
  readonly onWritten: (files: readonly string[]) => void;
}

export interface HandlerReport {
  /** Whether every operation has a handler, and every handler an operation. */
  readonly complete: boolean;
  /** Whether a place is in a handler or a test without an operation: what the compiler says of it follows from that. */
  readonly isObsolete: (file: string, line: number) => boolean;
}

export async function reportHandlers(
  { project, spec, stubs, screen, types, onWritten }: HandlerParts,
  source: SourceDocument,
  former: FormerOperations,
): Promise<HandlerReport> {
  const gaps = findGaps(project, source, former);
  const isRenamed = ({ renamed }: ObsoleteHandler) => renamed !== undefined;
  const restore =
    gaps.unwritten.length === 0 ? undefined : formatRestore(findDeletedHandlers(project, gaps.unwritten.map(({ id }) => id))); // prettier-ignore
  if (stubs && restore === undefined && (gaps.unwritten.length > 0 || gaps.obsolete.some(isRenamed))) {
    const report = await addStubs({ project, spec: source, former });
    onWritten(report.written);
    types.touch(report.written);
    const { handlers, renamed, obsolete } = report;
    const summary = [
      ...(handlers.length > 0 ? [`${plural(handlers.length, 'stub')} written`] : []),
      ...(renamed.length > 0 ? [`${renamed.length} renamed`] : []),
      ...(obsolete.length > 0 ? [`${obsolete.length} without an operation`] : []),
    ];
    screen.section('handlers', summary.join(', '), formatStubs(report), fixFirst(obsolete.flatMap(formatObsolete)));
    // Their locations may have moved.
    return { complete: obsolete.length === 0, isObsolete: isIn(findGaps(project, source, former).obsolete) };
  }
  const { unwritten, obsolete } = gaps;
  if (unwritten.length + obsolete.length === 0) return { complete: true, isObsolete: () => false };
  const missing = unwritten.map((operation) => {
    const message = `${operation.id} (${formatOperation(operation)}) has no handler`;
    return formatProblem(spec, { ...source.locate(operationKeys(operation)), message });
  });
  const renamed = obsolete.filter(isRenamed).length;
  const gone = obsolete.length - renamed;
  const summary = [
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(renamed > 0 ? [`${renamed} renamed in the spec`] : []),
    ...(gone > 0 ? [`${gone} without an operation`] : []),
  ];
  const writes = [...(missing.length > 0 ? ['writes stubs'] : []), ...(renamed > 0 ? ['renames the handlers'] : [])];
  const details = [...missing, ...obsolete.flatMap(formatObsolete)];
  const fix =
    restore ??
    (writes.length > 0 ? `\`npx specwright add-operation${contractArgument(project)}\` ${writes.join(' and ')}` : fixFirst(details));
  screen.section('handlers', summary.join(', '), details, fix);
  return { complete: false, isObsolete: isIn(obsolete) };
}

function isIn(obsolete: readonly ObsoleteHandler[]): HandlerReport['isObsolete'] {
  const ranges = obsolete
    .flatMap(({ handlers, tests }) => [...handlers, ...tests])
    .filter(isMember)
    .map(({ file, node }) => ({
      file: file.fileName,
      from: locationOf(file, node).line,
      to: file.getLineAndCharacterOfPosition(node.end).line + 1,
    }));
  return (file, line) => ranges.some((range) => range.file === file && range.from <= line && line <= range.to);
}

/** The deleted files, from the root, that name one of the operations. None without git. */
export function findDeletedHandlers({ root, handlers }: Pick<ProjectConfig, 'root' | 'handlers'>, operations: readonly string[]): string[] {
  const git = gitIn(root);
  const deleted =
    git('ls-files', '--deleted', '-z', '--', handlers)
      ?.split('\0')
      .filter((file) => file !== '') ?? [];
  return deleted.filter((file) => {
    const words = git('show', `:./${file}`)?.split(/[^\w$]+/) ?? [];
    return operations.some((id) => words.includes(id));
  });
}

/** `\`git checkout -- src/handlers/pets.ts\` restores the deleted file` */
export function formatRestore(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  return `\`git checkout -- ${files.map(quotedPath).join(' ')}\` restores the deleted ${files.length === 1 ? 'file' : 'files'}`;
}

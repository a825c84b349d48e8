/** A CPU profile of V8, summed up: where a request spends its time. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Node {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
}

/** As the DevTools protocol has it (`Profiler.Profile`). */
export interface CpuProfile {
  readonly nodes: readonly Node[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

export interface Share {
  readonly name: string;
  /** Of all the time that the process was busy: 0 to 1. */
  readonly share: number;
}

/** @param caller the owner of the function that called. */
export type OwnerOf = (file: string, caller: string | undefined) => string | undefined;

/** The time in each function itself, the most expensive first. */
export const selfTimes = (profile: CpuProfile): Share[] => sumUp(profile, ({ callFrame }) => frameName(callFrame));

/**
 * The time by owner: a function that has none counts for whoever called it. So what a library does for a step is
 * counted with the step.
 */
export function ownedTimes(profile: CpuProfile, ownerOf: OwnerOf): Share[] {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const owners = new Map<number, string>();
  const visit = (node: Node, inherited: string | undefined): void => {
    const owner = ownerOf(sourceOf(node.callFrame).file, inherited) ?? inherited;
    owners.set(node.id, owner ?? frameName(node.callFrame));
    for (const id of node.children ?? []) visit(byId.get(id) as Node, owner);
  };
  for (const node of profile.nodes) if (!owners.has(node.id)) visit(node, undefined);
  return sumUp(profile, ({ id }) => owners.get(id) ?? '');
}

function sumUp(profile: CpuProfile, nameOf: (node: Node) => string): Share[] {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const times = new Map<string, number>();
  let total = 0;
  profile.samples?.forEach((id, i) => {
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === '(idle)') return;
    const time = profile.timeDeltas?.[i] ?? 0;
    const name = nameOf(node);
    total += time;
    times.set(name, (times.get(name) ?? 0) + time);
  });
  return [...times].map(([name, time]) => ({ name, share: time / total })).sort((a, b) => b.share - a.share);
}

function frameName(frame: Frame): string {
  const { file, line } = sourceOf(frame);
  return `${frame.functionName === '' ? '(anonymous)' : frame.functionName}${file === '' ? '' : ` ${file}:${line}`}`;
}

/** Where a function is written: in its source, if it was compiled with a source map. */
function sourceOf({ url, lineNumber, columnNumber }: Frame): { file: string; line: number } {
  if (!url.startsWith('file:')) return { file: url, line: lineNumber + 1 };
  const entry = sourceMapOf(fileURLToPath(url))?.findEntry(lineNumber, columnNumber);
  if (entry !== undefined && 'originalSource' in entry)
    return { file: shorten(fileURLToPath(new URL(entry.originalSource, url))), line: entry.originalLine + 1 };
  return { file: shorten(fileURLToPath(url)), line: lineNumber + 1 };
}

const sourceMaps = new Map<string, SourceMap | undefined>();

function sourceMapOf(path: string): SourceMap | undefined {
  if (!sourceMaps.has(path)) {
    const file = `${path}.map`;
    sourceMaps.set(path, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload) : undefined);
  }
  return sourceMaps.get(path);
}

/** From this folder, or from the package that it is in. */
const shorten = (path: string) =>
  relative(process.cwd(), path)
    .split(sep)
    .join('/')
    .replace(/^.*node_modules\//, '');

/** What a contract says and the server does not serve as written: as it is found, and as it is listed. */
import { displayFile } from './document/problems.ts';
import type { DocumentPath } from './document/visit-schemas.ts';

export interface UnsupportedFeature {
  /** The file, if it is not that of the contract. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  /** None for a feature of a component, which several operations may use. */
  readonly operationId: string | undefined;
  readonly feature: string;
  /** What the server does instead. */
  readonly behavior: string;
  /** What it has in common with others of its kind: a sentence without names. */
  readonly construct: string;
  readonly isUnreached: boolean;
  /**
   * Whether `generate` reports it, as an operation that is not reached: handlers are written in another way for it, or what the
   * contract says there is a mistake, without which values would be validated or filled in.
   */
  readonly isReported?: boolean;
  /** What to change in the contract; none where nothing is wrong with it, or the behavior says so. */
  readonly fix?: string | undefined;
}

/** A feature at a path. `construct` is given if `feature` or `behavior` has names or values in it. */
export interface Feature {
  readonly path: DocumentPath;
  readonly feature: string;
  readonly behavior: string;
  readonly construct?: string;
  readonly isUnreached?: boolean;
  readonly isReported?: boolean;
  readonly fix?: string;
}

const NAMED_PLACES = 3;
/** The longest line, in characters. */
const MAX_LENGTH = 190;

/**
 * @param options.whole whether lines are as long as they have to be: every place, and how it is fixed.
 * @returns a line for each construct: what it is, what the server does instead, and where it is first. Operations that no request
 *   reaches come first.
 */
export function groupUnsupported(features: readonly UnsupportedFeature[], { whole = false }: { readonly whole?: boolean } = {}): string[] {
  const groups = new Map<string, UnsupportedFeature[]>();
  for (const feature of [...features].sort((a, b) => Number(b.isUnreached) - Number(a.isUnreached))) {
    const group = groups.get(feature.construct) ?? [];
    groups.set(feature.construct, [...group, feature]);
  }
  return [...groups].map(([construct, group]) => {
    const [first] = group;
    const text = first === undefined || group.length > 1 ? construct : `${first.feature}: ${first.behavior}`;
    return whole ? formatWhole(text, group) : formatLine(text, group);
  });
}

function formatWhole(text: string, group: readonly UnsupportedFeature[]): string {
  const places = [...new Set(group.map(formatPlace))].join(', ');
  const fix = group[0]?.fix;
  const count = group.length === 1 ? '' : `${group.length} places: `;
  return `${text.replace(/\s+/g, ' ')}${fix === undefined ? '' : `. Fix: ${fix}`} (${count}${places})`;
}

function formatLine(text: string, group: readonly UnsupportedFeature[]): string {
  const named = [...new Set(group.slice(0, NAMED_PLACES).map(formatPlace))].join(', ');
  const more = group.length > NAMED_PLACES ? ', ...' : '';
  const places = group.length === 1 ? named : `${group.length} places: ${named}${more}`;
  const tail = ` (${shorten(places, MAX_LENGTH / 2)})`;
  return `${shorten(text.replace(/\s+/g, ' '), MAX_LENGTH - tail.length)}${tail}`;
}

const formatPlace = ({ operationId, file, line }: UnsupportedFeature): string => {
  const location = file === undefined ? `line ${line}` : `${displayFile(file)}:${line}`;
  return operationId === undefined ? location : `${operationId.replace(/\s+/g, ' ')} ${location}`;
};

const shorten = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 3)}...` : text);

/** Chooses the media type of a response by the header `Accept` (RFC 9110, section 12.5.1). */
import { bodyKind } from '@specwright/contract/document';
import type { DeclaredMedia } from './declared-responses.ts';

/** The one with the highest weight, JSON before others of the same; the first of all if none is accepted, as most servers do. */
export function chooseMedia(content: readonly DeclaredMedia[], accept: string | undefined): DeclaredMedia | undefined {
  const byKind = [...content].sort((a, b) => Number(bodyKind(b.type) === 'json') - Number(bodyKind(a.type) === 'json'));
  if (accept === undefined) return byKind[0];
  const ranges = accept.split(',').map(readRange);
  const weightOf = ({ type }: DeclaredMedia): number => {
    const [essence = ''] = type.toLowerCase().split(';');
    const [main = ''] = essence.split('/');
    const found = [essence.trim(), `${main}/*`, '*/*'].map((name) => ranges.find(({ range }) => range === name));
    return found.find((one) => one !== undefined)?.weight ?? (essence.includes('*') ? 0.01 : 0);
  };
  const [best] = [...byKind].sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}

function readRange(text: string): { readonly range: string; readonly weight: number } {
  const [range = '', ...parameters] = text.toLowerCase().split(';');
  const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((found) => found !== undefined);
  return { range: range.trim(), weight: weight === undefined ? 1 : Number(weight) };
}

/** Reads and writes JSON. */
import type { Place } from './types.ts';

export const parseJson: (text: string, place?: () => Place) => unknown = (text) => JSON.parse(text) as unknown;
export const writeJson = (value: unknown): string => JSON.stringify(value);

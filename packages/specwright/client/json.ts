/** Reads and writes JSON. */
import type { Place } from './types.ts';

export const parseJson: (text: string, place?: () => Place) => unknown = (text) => JSON.parse(text) as unknown;
/** Header fields are texts. */
export const readMoments = (_: string, text: string): unknown => text;
export const writeJson = (value: unknown): string => JSON.stringify(value);

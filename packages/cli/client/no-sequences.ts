/** A contract without sequences in requests: no body has items. */
import type { WrittenBody } from './types.ts';

export const writeItems: (items: unknown, kind: string) => Promise<WrittenBody> = (items) => Promise.resolve({ body: String(items) });

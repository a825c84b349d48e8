/** Kinds of environment variables, for `config.ts` and for the service's own. */
import { z } from 'zod';

export const integer = (low: number, high: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high, `must be a whole number from ${low} to ${high}`)
    .transform(Number);

/** The gates of a project: what `.config/gates.yaml` names. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** `--group all`: the gates of every group, and those of none. */
export const ALL_GROUPS = 'all';

const GATE = z.strictObject({
  name: z.string().min(1),
  /** The command; words are separated by spaces. */
  run: z.string().min(1),
  /** It runs jest: its results are read, and a test file that failed beside others is run again alone. */
  jest: z.boolean().default(false),
  /** It runs only where this group is asked for (`specwright gates --group NAME`). Other runs name it as not run. */
  group: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/)
    .refine((name) => name !== ALL_GROUPS, '`all` means every gate')
    .optional(),
  /** Its processor time. The run fails if all gates together take a fifth more. */
  cpuSeconds: z.number().positive().optional(),
  /** A Markdown file that it writes in the folder of the reports, for the summary and the comment. */
  report: z
    .string()
    .regex(/^[\w-]+\.md$/)
    .optional(),
  /** `git`: it is skipped where the folder is no checkout. */
  needs: z.enum(['git']).optional(),
  /** What to do instead where it is skipped. */
  otherwise: z.string().optional(),
});

export type Gate = Readonly<z.output<typeof GATE>>;

/** @throws Error with every field that is not valid. */
export function readGates(file: string): readonly Gate[] {
  const parsed = z
    .array(GATE)
    .min(1)
    .safeParse(parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('/')}: ${message}`);
  throw new Error(`${file} is not valid\n${problems.join('\n')}`);
}

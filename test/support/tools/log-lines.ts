/** Lines of the log of a process. */
import type { TestProcess } from 'specwright/testing';

/** @returns the lines with a message, so far. */
export const logLines = <Line>(server: TestProcess, message: string): Line[] =>
  server.output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line & { readonly msg: string })
    .filter(({ msg }) => msg === message);

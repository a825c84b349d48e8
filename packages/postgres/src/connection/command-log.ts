/** What a command says while it waits: on standard error, where it is not taken for its output. */
import type { Log } from '@specwright/server';

/** What a wait is reported to: a server's log, or standard error. */
export type WaitLog = Pick<Log, 'info' | 'warn'>;

const write = (fields: object, message: string): void => {
  const { reason } = fields as { readonly reason?: string };
  console.error(reason === undefined ? message : `${message}: ${reason}`);
};

export const commandLog: WaitLog = { info: write, warn: write };

/** Checks a spec in another process, which is restarted if it has ended. */
import type { ChildProcess } from 'node:child_process';
import { forkSibling } from '../../node-arguments.ts';
import type { SpecRequest, SpecResponse } from './spec-worker-process.ts';

/** Problems as `file:line:column message`. */
export interface SpecCheck {
  readonly compile: Promise<readonly string[]>;
  readonly lint: Promise<readonly string[]>;
}

export type SpecWorker = ReturnType<typeof startSpecWorker>;

export function startSpecWorker() {
  let child: ChildProcess | undefined;
  let id = 0;
  const connect = () => {
    if (child?.connected !== true) child = forkSibling('spec-worker-process', import.meta.url, 'inherit');
    return child;
  };
  // It loads its modules before the first request.
  connect();
  return {
    /** @param contract its name, if it has one. A later check of a spec resolves the earlier ones without problems. */
    check(file: string, contract: string | undefined): SpecCheck {
      const request: SpecRequest = { id: ++id, file, contract };
      const worker = connect();
      const response = (check: SpecResponse['check']) =>
        new Promise<readonly string[]>((resolve) => {
          const onMessage = (message: SpecResponse) => {
            if (message.id === request.id && message.check === check) end(message.lines);
            else if (message.id > request.id && message.file === file) end([]);
          };
          const onExit = () => end([`${file}: the linters have ended unexpectedly: save again, or run npx specwright lint`]);
          const end = (lines: readonly string[]) => {
            worker.off('message', onMessage).off('exit', onExit);
            resolve(lines);
          };
          worker.on('message', onMessage).on('exit', onExit);
        });
      const pending = { compile: response('compile'), lint: response('lint') };
      worker.send(request);
      return pending;
    },
    close: (): void => void child?.kill(),
  };
}

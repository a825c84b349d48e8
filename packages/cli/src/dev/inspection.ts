/** Asks the inspector about a spec, and starts it again if it has ended. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Question } from './inspector.ts';

export interface Inspection {
  readonly compile: Promise<readonly string[]>;
  readonly lint: Promise<readonly string[]>;
}

export interface Inspector {
  /** @param file the spec. Answers to an earlier question may never come. */
  ask(file: string): Inspection;
  close(): void;
}

export function startInspector(): Inspector {
  const program = fileURLToPath(new URL('inspector.ts', import.meta.url));
  let child: ChildProcess | undefined;
  let id = 0;
  const process = () => {
    if (child?.connected !== true) child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    return child;
  };
  // Loads what it needs before it is asked.
  process();
  return {
    ask(file) {
      const question: Question = { id: ++id, file };
      const inspector = process();
      const answer = (about: Answer['about']) =>
        new Promise<readonly string[]>((resolve) => {
          const onMessage = (message: Answer) => {
            if (message.id === question.id && message.about === about) end(message.lines);
            else if (message.id > question.id) end([]);
          };
          const onExit = () => end([`${file}: the linters ended without an answer: save again, or run npm run lint:spec`]);
          const end = (lines: readonly string[]) => {
            inspector.off('message', onMessage).off('exit', onExit);
            resolve(lines);
          };
          inspector.on('message', onMessage).on('exit', onExit);
        });
      const inspection = { compile: answer('compile'), lint: answer('lint') };
      inspector.send(question);
      return inspection;
    },
    close: () => void child?.kill(),
  };
}

/** One line on standard error that says what is under way, in a terminal alone: a log has no use for it. */

import { printable } from '@specwright/contract';

/** What takes less is not announced, in ms. */
const DELAY_MS = 500;

export interface Progress {
  /** What is under way from now on. */
  show(text: string): void;
  /** Takes the line away: before anything else is printed, and at the end. */
  clear(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr, environment: NodeJS.ProcessEnv = process.env): Progress {
  if (!stream.isTTY || environment['CI'] !== undefined) return { show: () => undefined, clear: () => undefined };
  const began = performance.now();
  let current = '';
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;

  function draw(): void {
    isShown = true;
    const text = `${printable(current)} (${Math.round((performance.now() - began) / 1000)} s)`;
    stream.write(`\r\u001b[2K${text.slice(0, stream.columns - 1)}`);
  }
  return {
    show(text) {
      current = text;
      // Work that leaves no time for the timer shows at least where it is.
      if (performance.now() - began >= DELAY_MS) draw();
      timer ??= setInterval(draw, DELAY_MS).unref();
    },
    clear() {
      clearInterval(timer);
      timer = undefined;
      if (isShown) stream.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

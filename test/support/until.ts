/** Waiting for what has no event. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks every few milliseconds until the answer is yes. @throws Error when it is still no after `patience` ms. */
export async function until(ask: () => boolean | Promise<boolean>, patience = 5000): Promise<void> {
  for (const end = Date.now() + patience; !(await ask()); await sleep(5)) {
    if (Date.now() > end) throw new Error(`waited ${patience} ms for: ${ask.toString()}`);
  }
}

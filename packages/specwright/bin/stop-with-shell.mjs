/** Ends this program with the shell in which npm runs it. */

const POLL_INTERVAL_MS = 500;
/** A script that starts something in the background on purpose; `2>&1` does not. */
const BACKGROUND = /(?<![&>])&(?![&>\d])/;

/**
 * `npx` and `npm start` pass SIGTERM on to the shell of the script alone. One that does not replace itself by the program, such as dash, ends
 * and leaves the program running.
 */
export function stopWithShell() {
  const { npm_lifecycle_script: script } = process.env;
  if (script === undefined || BACKGROUND.test(script) || process.platform === 'win32') return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_INTERVAL_MS);
  timer.unref();
}

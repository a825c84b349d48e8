/** A service that fails, or greets, as its argument says. */
import { runService } from '@specwright/server';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';

const [failure = ''] = process.argv.slice(2);
const never = new Promise<never>(() => undefined);

runService(
  async ({ log, stopping, greet }) => {
    console.log('started');
    // Nothing else keeps the process alive.
    setInterval(() => undefined, 1000);
    if (failure === 'exception') setTimeout(() => nowhere(), 10);
    if (failure === 'rejection') void Promise.reject(new Error('nobody waits for this'));
    if (failure === 'warns') {
      console.trace(new Error('a connection was lost'));
      console.error('retried %i times', 3);
      process.emitWarning('work in the background failed: no');
    }
    if (failure === 'greets') {
      log.info({}, 'ready');
      greet({ title: 'Pets', version: '1.0', port: 80, hints: [['API key', 'k']] });
      setTimeout(() => process.exit(0), 10);
    }
    if (failure === 'start') throw new Error('nothing works');
    if (failure === 'start-defect') throw new ReferenceError('it is not defined');
    if (failure === 'start-waits')
      await new Promise((_, reject) => {
        stopping.addEventListener('abort', () => reject(stopping.reason as Error));
      });
    return async () => {
      if (failure === 'stop-hangs') await never;
      if (failure === 'stop-fails') throw new Error('it does not stop');
    };
  },
  () => ({ shutdownTimeout: 500, ...readEnvironment({ LOG_FORMAT: SERVER_VARIABLES.LOG_FORMAT, LOG_LEVEL: SERVER_VARIABLES.LOG_LEVEL }) }),
);

function nowhere(): void {
  throw new Error('nobody catches this');
}

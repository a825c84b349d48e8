/** A service that fails as its argument says. */
import { runService } from '@specwright/server';

const [failure = ''] = process.argv.slice(2);
const never = new Promise<never>(() => undefined);

runService(
  async ({ stopping }) => {
    console.log('started');
    // Nothing else keeps the process alive.
    setInterval(() => undefined, 1000);
    if (failure === 'exception') setTimeout(() => nowhere(), 10);
    if (failure === 'rejection') void Promise.reject(new Error('nobody waits for this'));
    if (failure === 'start') throw new Error('nothing works');
    if (failure === 'start-waits')
      await new Promise((_, reject) => {
        stopping.addEventListener('abort', () => reject(stopping.reason as Error));
      });
    return async () => {
      if (failure === 'stop-hangs') await never;
      if (failure === 'stop-fails') throw new Error('it does not stop');
    };
  },
  () => ({ logLevel: 'info', shutdownTimeout: 500 }),
);

function nowhere(): void {
  throw new Error('nobody catches this');
}

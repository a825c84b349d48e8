/** Chooses the compiler of a development loop: the native one, or the pinned one where the native one cannot be run. */
import type { Compiler } from './compiler.ts';

type Start = (config: string) => Compiler | Promise<Compiler>;

// Loaded only when they are needed: the native one is not installed on every platform.
const native: Start = async (config) => (await import('./native.ts')).startNative(config);
const pinned: Start = async (config) => (await import('./pinned.ts')).startPinned(config);

/**
 * Starts the fastest compiler there is.
 *
 * @param config the absolute path of tsconfig.json; @param say is told why it is not the native one.
 */
export async function startCompiler(config: string, say: (line: string) => void, fastest: Start = native): Promise<Compiler> {
  try {
    return await fastest(config);
  } catch (error) {
    say(`the native compiler does not start, so the pinned one checks, which takes longer: ${(error as Error).message}`);
    return pinned(config);
  }
}

/** Starts the compiler of the development loop: the native one, or the pinned one where the native one cannot run. */
import type { Compiler } from './compiler.ts';

type Start = (config: string) => Compiler | Promise<Compiler>;

// Loaded when needed: the native one is not installed on every platform.
const native: Start = async (config) => (await import('./native-compiler.ts')).startNative(config);
const pinned: Start = async (config) => (await import('./pinned-compiler.ts')).startPinned(config);

/**
 * Starts the fastest available compiler.
 *
 * @param config the absolute path of tsconfig.json; @param report gets the reason why it is not the native one.
 */
export async function startCompiler(config: string, report: (line: string) => void, fastest: Start = native): Promise<Compiler> {
  try {
    return await fastest(config);
  } catch (error) {
    report(`the native compiler does not start; using the slower pinned one: ${(error as Error).message}`);
    return pinned(config);
  }
}

/** The compiler that a development loop asks: the native one, or the pinned one where the native one is not installed. */

/** `line` and `column` from 1. */
export interface TypeFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Changes {
  readonly changed: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

export interface Compiler {
  /** Reads what has changed. @returns the files of the project, as absolute paths. */
  update(changes: Changes): Promise<readonly string[]>;
  /** What is wrong in one file. */
  diagnose(file: string): Promise<readonly TypeFault[]>;
  close(): Promise<void>;
}

/** A message and what explains it, each level further in, as the compiler prints it. */
export function chain(levels: readonly { readonly text: string; readonly depth: number }[]): string {
  return levels.map(({ text, depth }) => `${'  '.repeat(depth)}${text}`).join('\n');
}

/**
 * Starts the fastest compiler there is.
 *
 * @param config the absolute path of tsconfig.json; @param onFallback is told why it is not the native one.
 */
export async function startCompiler(config: string, onFallback: (reason: string) => void): Promise<Compiler> {
  try {
    const { startNative } = await import('./native.ts');
    return await startNative(config);
  } catch (error) {
    onFallback(
      `the native compiler does not start, so types are checked by the pinned one, which takes longer: ${(error as Error).message}`,
    );
    const { startPinned } = await import('./pinned.ts');
    return startPinned(config);
  }
}

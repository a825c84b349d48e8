export interface BuildManifest {
  /** The files that it was built from, from the root of the project -> their state. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The files in its folder that it consists of. */
  readonly outputs: readonly string[];
  /** `src/main.ts` -> the module in its folder that runs it. */
  readonly programs: Readonly<Record<string, string>>;
}

export declare const BUILD_FOLDER: string;
export declare function fileState(path: string): string;
export declare function findBuilt(root: string, program: string): string | undefined;
export declare function findJustBuilt(root: string, program: string): string | undefined;

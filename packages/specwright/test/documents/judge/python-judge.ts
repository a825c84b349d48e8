/** The process of the independent judge, asked in JSON lines. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Where a value belongs: a JSON body of a request (`status` is empty) or of a response. */
export interface Place {
  readonly path: string;
  readonly method: string;
  readonly status: string;
  readonly type: string;
  readonly pointer: string;
}

export interface DrawnPlace extends Place {
  /** Each with what is wrong with it: nothing, if it is valid. */
  readonly values: readonly { readonly text: string; readonly errors: readonly string[] }[];
}

export type JudgedValue = Place & { readonly text: string };

/** Requests are answered in their order, one at a time. */
export class PythonJudge {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  /** @param cwd where it may write. */
  constructor(python: string, program: string, cwd: string) {
    this.#process = spawn(python, ['-B', program], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#process.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
  }

  open = async (document: object): Promise<boolean> => (await this.#ask({ do: 'open', document })) as boolean;
  draw = async (values: number, name: string) => (await this.#ask({ do: 'draw', values, name })) as DrawnPlace[];
  /** @returns what is wrong with each. */
  judge = async (values: readonly JudgedValue[]) => (await this.#ask({ do: 'judge', values })) as string[][];
  /** @returns for each the documented rule under which the judge agrees; `null` if there is none. */
  explain = async (differences: readonly (JudgedValue & { readonly isAccepted: boolean })[]) =>
    (await this.#ask({ do: 'explain', differences })) as (string | null)[];

  end(): void {
    this.#process.kill();
  }

  async #ask(request: object): Promise<unknown> {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    const line: IteratorResult<string, unknown> = await this.#lines.next();
    if (line.done === true) throw new Error('the judge has ended: its error is above');
    return JSON.parse(line.value) as unknown;
  }
}

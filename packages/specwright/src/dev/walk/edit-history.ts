/** What was edited since the walk last passed: where the cause of a failure is, and not only the handler that shows it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve as resolvePath } from 'node:path';
import { isOfAnother } from '../../contract-paths.ts';
import type { ProjectConfig } from '../../project-config.ts';
import { sourcesIn } from '../../stubs/typescript-source.ts';
import { editedRange } from '../report/edited-lines.ts';

/** A part of a file that differs from what the last walk passed with. */
export interface EditedPart {
  /** `src/db/pets.ts:12:1` */
  readonly location: string;
  /** The text of the file up to the first edited line, and that line. */
  readonly before: string;
}

export interface EditHistory {
  /** Records saved files (absolute paths). */
  touch(files: Iterable<string>): void;
  /** The last saved first. */
  edited(): EditedPart[];
  /** Every operation answers as declared. */
  accept(): void;
}

/** @param spec its path from the root. */
export function createEditHistory(project: ProjectConfig, spec: string): EditHistory {
  const { root, main } = project;
  const folder = join(root, dirname(main));
  const specFile = resolvePath(root, spec);
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const passed = new Map<string, string>([[specFile, read(specFile)]]);
  for (const { fileName, text } of existsSync(folder) ? sourcesIn(folder) : []) passed.set(fileName, text);
  let saved: string[] = [];
  return {
    touch(files) {
      const now = [...files].filter((file) => (file.startsWith(folder) && !isOfAnother(project, file)) || file === specFile);
      saved = [...now, ...saved.filter((file) => !now.includes(file))];
    },
    edited() {
      return saved.flatMap((file) => {
        const text = read(file);
        const former = passed.get(file) ?? '';
        if (text === former || text === '') return [];
        const { first } = editedRange(former, text);
        return [
          { location: `${relative(root, file).replaceAll('\\', '/')}:${first}:1`, before: text.split('\n').slice(0, first).join('\n') },
        ];
      });
    },
    accept() {
      for (const file of saved) passed.set(file, read(file));
      saved = [];
    },
  };
}

/** The sources of one contract, where a project has several. */
import { join } from 'node:path';
import type ts from 'typescript';
import { isOfAnother } from '../contract-paths.ts';
import type { ProjectConfig } from '../project-config.ts';
import { sourcesIn } from './typescript-source.ts';

/** The sources in a folder, from the root, without those in folders of other contracts. */
export const sourcesOf = (project: ProjectConfig, folder: string): ts.SourceFile[] =>
  sourcesIn(join(project.root, folder)).filter(({ fileName }) => !isOfAnother(project, fileName));

/** The pictures of the documents: the pipeline, from the list of its steps, and a recording of the development loop. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawPipeline } from './pictures/pipeline.ts';
import { THEMES, type Theme } from './requests/report/chart.ts';

export const help = `npm run bench -- pictures [NAME ...]

Writes docs/images/NAME-light.svg and -dark.svg.

  pipeline  the steps of a request, read from packages/server/src/create-service.ts
  loop      a recording of npm run dev in a copy of the project; takes a minute`;

export const imageFile = (name: string, theme: Theme): string =>
  fileURLToPath(new URL(`../docs/images/${name}-${theme}.svg`, import.meta.url));

const PICTURES: Readonly<Record<string, () => Promise<(theme: Theme) => string>>> = {
  pipeline: async () => (theme) => drawPipeline(theme),
  loop: async () => {
    const { recordLoop } = await import('./pictures/record-loop.ts');
    const { drawRecording } = await import('./pictures/draw-recording.ts');
    const recording = await recordLoop();
    return (theme) => drawRecording(recording, theme);
  },
};

export async function run(args: readonly string[]): Promise<number> {
  const names = args.length === 0 ? Object.keys(PICTURES) : args;
  for (const name of names) {
    const picture = Object.hasOwn(PICTURES, name) ? PICTURES[name] : undefined;
    if (picture === undefined) {
      console.error(`unknown picture ${name}: choose ${Object.keys(PICTURES).join(', ')}`);
      return 2;
    }
    const draw = await picture();
    for (const theme of Object.keys(THEMES) as Theme[]) {
      writeFileSync(imageFile(name, theme), draw(theme));
      console.log(`wrote ${imageFile(name, theme)}`);
    }
  }
  return 0;
}

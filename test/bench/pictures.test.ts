/** The pictures of the documents: the pipeline is the one that is served, and the recording needs nothing from elsewhere. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { drawPipeline, readSteps } from '../../bench/pictures/pipeline.ts';
import { imageFile } from '../../bench/pictures.ts';
import { THEMES, type Theme } from '../../bench/requests/chart.ts';

const themes = Object.keys(THEMES) as Theme[];

describe('the pipeline', () => {
  test.each(themes)('%s: is made from the steps that there are; `npm run bench -- pictures pipeline` makes it again', (theme) => {
    expect(readFileSync(imageFile('pipeline', theme), 'utf8')).toBe(drawPipeline(theme));
  });

  test('its steps are those of the list, with the handler that one of them calls', () => {
    const list = (lines: string[]) =>
      `  const stepsOf = (operation): readonly Step[] =>\n    [\n${lines.map((line) => `      ${line},\n`).join('')}    ].filter(x)`;
    expect(readSteps(list(['one(operation)', 'admission.two', 'three(operation, callHandler(operation.id))']))).toEqual([
      'one',
      'two',
      'three',
      'callHandler',
    ]);
    expect(drawPipeline('light', ['one'])).not.toBe(drawPipeline('light', ['two']));
    expect(() => readSteps('')).toThrow(/no list `stepsOf`/);
  });
});

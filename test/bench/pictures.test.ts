/** The pictures of the documents: the pipeline is the one that is served, and the recording needs nothing from elsewhere. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { drawRecording } from '../../bench/pictures/draw-recording.ts';
import { drawPipeline, readSteps } from '../../bench/pictures/pipeline.ts';
import { imageFile } from '../../bench/pictures.ts';
import { THEMES, type Theme } from '../../bench/requests/report/chart.ts';

const themes = Object.keys(THEMES) as Theme[];

describe('the pipeline', () => {
  test.each(themes)('%s: is made from the steps that there are; `npm run bench -- pictures pipeline` makes it again', (theme) => {
    expect(readFileSync(imageFile('pipeline', theme), 'utf8')).toBe(drawPipeline(theme));
  });

  test('its steps are those of the list, with the handler that one of them calls', () => {
    const list = (lines: string[]) =>
      `  #stepsOf(operation): readonly Step[] {\n    return listed([\n${lines.map((line) => `      ${line},\n`).join('')}    ])`;
    expect(readSteps(list(['one(operation)', 'admission.two', 'this.#limit.four', 'three(operation, callHandler(operation.id))']))).toEqual(
      ['one', 'two', 'four', 'three', 'callHandler'],
    );
    expect(drawPipeline('light', ['one'])).not.toBe(drawPipeline('light', ['two']));
    expect(() => readSteps('')).toThrow(/no list `#stepsOf`/);
  });
});

test.each(themes)('%s: the recording is small, and needs neither a script nor anything from elsewhere', (theme) => {
  const picture = readFileSync(imageFile('loop', theme), 'utf8');
  expect(picture.length).toBeLessThan(150_000);
  expect(picture).toMatch(/next +nothing to fix<\/text>/);
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
    /<script|<image|<foreignObject|href=|url\(|@import|psk_live_\w{9}/,
  );
});

test('a recording is drawn line by line, each at its time, in the colours of the terminal', () => {
  const picture = drawRecording(
    [
      { at: 0, kind: 'output', text: 'one\n\u001b[32mgreen\u001b[39m <&\n' },
      { at: 60, kind: 'edit', file: 'a.yaml', removed: 'old', added: 'new' },
    ],
    'dark',
  );
  // What takes longer than 3 s is shortened: the second moment is at 3 of 7 s.
  expect(picture).toMatch(/@keyframes s1\{0%\{opacity:0\}42\.86%\{opacity:1\}\}/);
  expect(picture).toMatch(/<tspan fill="#3fb950">green<\/tspan> &#60;&#38;<\/text>/);
  expect(picture).toMatch(/- old[^]*\+ new/);
});

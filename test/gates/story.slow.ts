/** The four steps on the first screen of README.md are what the compiler, the server and the client print today. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { tellStory } from '../../scripts/story.ts';

test(
  'npm run ts -- scripts/story.ts would change nothing',
  async () => {
    expect(readFileSync('README.md', 'utf8')).toContain(await tellStory());
  },
  scaleTimeout(120_000),
);

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createProgress } from '../../../service/cli/progress.ts';

/** Returns the output of `use` on a terminal of the given width, or in a pipe. */
function shown(
  columns: number | undefined,
  use: (progress: ReturnType<typeof createProgress>) => void,
): string {
  const stderr = Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true, columns });
  use(createProgress(stderr, 2));
  return String(stderr.read());
}

function twoSteps(progress: ReturnType<typeof createProgress>): void {
  progress.step('building python');
  progress.say('python: 12 files');
  progress.step('building typescript, which has a name that is too long for a narrow terminal');
  progress.finish('built 2 archives');
}

describe('progress', () => {
  it('prints one line per step to a pipe', () => {
    assert.equal(
      shown(undefined, twoSteps),
      [
        '[1/2] building python',
        'python: 12 files',
        '[2/2] building typescript, which has a name that is too long for a narrow terminal',
        'built 2 archives',
        '',
      ].join('\n'),
    );
  });

  it('redraws one unwrapped line on a terminal', () => {
    const lines = shown(40, twoSteps).split('\r\u001b[2K');
    assert.deepEqual(lines, [
      '',
      '[....................] 0/2 building pyt',
      'python: 12 files\n',
      '[....................] 0/2 building pyt',
      '[##########..........] 1/2 building typ',
      'built 2 archives\n',
    ]);
    for (const line of lines) assert.ok(line.length < 40, line);
  });
});

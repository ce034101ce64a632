import assert from 'node:assert/strict';
import { checkPaths } from '../../../generator/archive/check-paths.ts';

describe('checking the paths of an archive', () => {
  it('accepts common paths', () => {
    checkPaths([
      '.gitignore',
      'README.md',
      'src/client.ts',
      'src/runtime/a.ts',
      'examples/a-b.ts',
      '@types/x.ts',
    ]);
  });

  const refused: [paths: string[], message: RegExp][] = [
    [[''], /is empty/],
    [['/etc/passwd'], /does not lead to a file inside the archive/],
    [['../x'], /does not lead to a file inside the archive/],
    [['a/../../x'], /does not lead to a file inside the archive/],
    [['a/./x'], /does not lead to a file inside the archive/],
    [['a//x'], /does not lead to a file inside the archive/],
    [['a/'], /does not lead to a file inside the archive/],
    [['..\\x'], /holds a character/],
    [['C:x'], /holds a character/],
    [['a\nb'], /holds a character/],
    [['größe.ts'], /holds a character/],
    [['x\u202ey'], /holds a character/],
    [['src/nul.ts'], /is a device on Windows/],
    [['COM1'], /is a device on Windows/],
    [['a. /x'], /ends in a dot or a space/],
    [['a.'], /ends in a dot or a space/],
    [['x'.repeat(201)], /is longer than 200 characters/],
    [['a', 'a'], /occurs twice/],
    [['src/Index.ts', 'src/index.ts'], /differ by case only/],
    [['a', 'a/b'], /is a file and a folder/],
    [['A', 'a/b/c'], /is a file and a folder/],
  ];
  for (const [paths, message] of refused) {
    it(`rejects ${JSON.stringify(paths).slice(0, 60)}`, () => {
      assert.throws(() => checkPaths(paths), message);
    });
  }
});

import assert from 'node:assert/strict';
import { checkSourcePaths } from '../../../service/messages/source-paths.ts';

describe('import paths of proto sources', () => {
  const refusals: [string, RegExp][] = [
    ['../outside.proto', /"\.\." part/],
    ['a/../../outside.proto', /"\.\." part/],
    ['./a.proto', /"\." or/],
    ['a//b.proto', /empty/],
    ['/etc/a.proto', /absolute/],
    ['C:\\a.proto', /backslash/],
    ['a\0.proto', /NUL/],
    ['a.txt', /does not end in \.proto/],
    ['buf.yaml', /does not end in \.proto/],
    ['.hidden/a.proto', /may hold/],
    ['-o.proto', /may hold/],
    ['a b.proto', /may hold/],
    ['ä.proto', /may hold/],
    [`${'a'.repeat(300)}.proto`, /longer than/],
    ['google/protobuf/timestamp.proto', /built in/],
    ['Google/Protobuf/any.proto', /built in/],
  ];
  for (const [path, problem] of refusals) {
    it(`refuses ${JSON.stringify(path.slice(0, 40))}`, () => {
      const diagnostics = checkSourcePaths(['fine.proto', path]);
      assert.equal(diagnostics.length, 1);
      assert.match(diagnostics[0]!.message, problem);
    });
  }

  it('accepts nested folders with the characters of packages', () => {
    assert.deepEqual(
      checkSourcePaths(['acme/text/v1/text.proto', 'acme_2/x-y/a.b.proto', 'acme/text.proto']),
      [],
    );
  });

  it('refuses paths that a disk without case would confuse', () => {
    assert.match(
      checkSourcePaths(['a/b.proto', 'A/B.proto'])[0]!.message,
      /differs from a\/b\.proto by case only/,
    );
  });

  it('refuses a source that is the folder of another', () => {
    assert.match(checkSourcePaths(['a.proto', 'a.proto/b.proto'])[0]!.message, /cannot be a folder/);
  });

  it('refuses no sources and too many', () => {
    assert.match(checkSourcePaths([])[0]!.message, /no \.proto source/);
    const many = Array.from({ length: 1001 }, (_, i) => `f${i}.proto`);
    assert.match(checkSourcePaths(many)[0]!.message, /1001 \.proto sources, at most 1000/);
  });

  it('does not echo control characters', () => {
    assert.doesNotMatch(checkSourcePaths(['a\u001b[31m\0.proto'])[0]!.file, /[\0\u001b]/);
  });
});

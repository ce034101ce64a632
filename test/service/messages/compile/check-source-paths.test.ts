import assert from 'node:assert/strict';
import { checkSourcePaths } from '../../../../service/messages/compile/check-source-paths.ts';

describe('import paths of proto sources', () => {
  const refusals: [string, RegExp][] = [
    ['../outside.proto', /"\.\." segment/],
    ['a/../../outside.proto', /"\.\." segment/],
    ['./a.proto', /"\." or/],
    ['a//b.proto', /empty/],
    ['/etc/a.proto', /absolute/],
    ['C:\\a.proto', /backslash/],
    ['a\0.proto', /NUL/],
    ['a.txt', /does not end in \.proto/],
    ['buf.yaml', /does not end in \.proto/],
    ['.hidden/a.proto', /may contain only/],
    ['-o.proto', /may contain only/],
    ['a b.proto', /may contain only/],
    ['ä.proto', /may contain only/],
    [`${'a'.repeat(300)}.proto`, /longer than/],
    ['google/protobuf/timestamp.proto', /built in/],
    ['Google/Protobuf/any.proto', /built in/],
  ];
  for (const [path, problem] of refusals) {
    it(`rejects ${JSON.stringify(path.slice(0, 40))}`, () => {
      const diagnostics = checkSourcePaths(['fine.proto', path]);
      assert.equal(diagnostics.length, 1);
      assert.match(diagnostics[0]!.message, problem);
    });
  }

  it('accepts nested folders and the characters allowed in package names', () => {
    assert.deepEqual(
      checkSourcePaths(['acme/text/v1/text.proto', 'acme_2/x-y/a.b.proto', 'acme/text.proto']),
      [],
    );
  });

  it('rejects paths that differ only in case', () => {
    assert.match(
      checkSourcePaths(['a/b.proto', 'A/B.proto'])[0]!.message,
      /differs from a\/b\.proto only by case/,
    );
  });

  it('rejects a source whose path is also the folder of another', () => {
    assert.match(checkSourcePaths(['a.proto', 'a.proto/b.proto'])[0]!.message, /cannot also be a folder/);
  });

  it('rejects an empty set of sources and too many sources', () => {
    assert.match(checkSourcePaths([])[0]!.message, /no \.proto source/);
    const many = Array.from({ length: 1001 }, (_, i) => `f${i}.proto`);
    assert.match(checkSourcePaths(many)[0]!.message, /1001 \.proto sources: at most 1000/);
  });

  it('removes control characters from error texts', () => {
    assert.doesNotMatch(checkSourcePaths(['a\u001b[31m\0.proto'])[0]!.file, /[\0\u001b]/);
  });
});

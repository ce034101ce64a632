import assert from 'node:assert/strict';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { goldenAdvice, goldenDifferences, goldenFiles } from './sdk-goldens.ts';

describe('the differences from expected output', () => {
  it('name each file that differs, is missing or is not expected, where only hashes are stored', async () => {
    const files = await goldenFiles('hostile-names', await loadLanguage('go'));
    assert.deepEqual(goldenDifferences('hostile-names', 'go', files), []);
    files.set('README.md', 'another text');
    files.set('extra.go', '');
    files.delete('MANIFEST.json');
    assert.deepEqual(goldenDifferences('hostile-names', 'go', files), [
      'MANIFEST.json: missing',
      'README.md: differs',
      'extra.go: not expected',
    ]);
    assert.match(goldenAdvice('hostile-names', 'go'), /--to <folder> go/);
  });

  it('show the lines that differ, where files are stored', async () => {
    const files = await goldenFiles('basic', await loadLanguage('go'));
    files.set('README.md', `${files.get('README.md') ?? ''}one more line\n`);
    const [difference, ...rest] = goldenDifferences('basic', 'go', files);
    assert.match(difference ?? '', /^README\.md\nline \d+:\n\+ one more line/);
    assert.deepEqual(rest, []);
  });
});

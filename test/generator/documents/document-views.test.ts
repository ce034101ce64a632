import assert from 'node:assert/strict';
import markdownIt from 'markdown-it';
import { format } from 'prettier';
import { documentViews } from '../../../generator/documents/document-views.ts';
import { renderFiles } from '../../../generator/render/render-files.ts';
import type { TemplateSet } from '../../../generator/render/template-set.ts';
import { listLanguages, loadLanguage } from '../../../service/languages/load-language.ts';
import { listSdkFixtures, loadSdkFixture } from '../../support/sdk-fixtures.ts';
import { toyLanguage, toyTemplates } from '../../support/toy-language.ts';

describe('the documents of an archive', () => {
  let templates: TemplateSet;

  before(async () => {
    const [id = ''] = await listLanguages();
    templates = toyTemplates((await loadLanguage(id)).templates.documents);
  });

  const documents = async (caseName: string): Promise<Map<string, string>> => {
    const model = await loadSdkFixture(caseName);
    const views = documentViews(model, toyLanguage().plan(model), []);
    return new Map(renderFiles(views, templates).map(({ path, content }) => [path, content]));
  };

  for (const name of listSdkFixtures()) {
    it(`are formatted like prettier for ${name}`, async () => {
      for (const [path, content] of await documents(name)) {
        if (path.endsWith('.md')) assert.equal(content, await format(content, { parser: 'markdown' }), path);
      }
    });

    it(`contain no markup or links from untrusted text for ${name}`, async () => {
      const reader = markdownIt({ html: true });
      for (const [path, content] of await documents(name)) {
        if (path === 'LICENSE') continue;
        const tokens = reader.parse(content, {}).flatMap((token) => [token, ...(token.children ?? [])]);
        const types = tokens.map(({ type }) => type);
        for (const type of [
          'html_block',
          'html_inline',
          'image',
          'em_open',
          'strong_open',
          's_open',
          'table_open',
        ]) {
          assert.ok(!types.includes(type), `${path}: ${type}`);
        }
        const links = tokens.filter(({ type }) => type === 'link_open').map((token) => token.attrGet('href'));
        const own = ['README.md', 'REFERENCE.md', 'CHANGELOG.md', 'MANIFEST.json'];
        assert.deepEqual(links, path === 'llms.txt' ? own : []);
      }
    });
  }

  it('describe every call, message, field and enum value', async () => {
    const reference = (await documents('basic')).get('REFERENCE.md') ?? '';
    assert.match(
      reference,
      /^### `call\("count-words"\)`\n\nCounts how often each word occurs\.\n\nCase does not matter\./m,
    );
    assert.match(reference, /^- Runs: node `CountWords` of `acme\/text 1\.2\.0`$/m);
    assert.match(
      reference,
      /^### `split-lines`\n\nReturns .*\n\n- This SDK has no call for it\. SDKs of other languages have one\.$/m,
    );
    assert.match(reference, /^- `min_length` \(`scalar`\): Omits words with fewer characters than this\.$/m);
    assert.match(
      (await documents('enums')).get('REFERENCE.md') ?? '',
      /^- `STATE_OPEN` \(1\): Accepted but not yet paid\.$/m,
    );
    assert.match(
      (await documents('deprecated')).get('REFERENCE.md') ?? '',
      /^- `number` \(`scalar`\): Deprecated\. Use \\`id\\`\.$/m,
    );
    assert.match(
      (await documents('maps-oneofs-optional')).get('REFERENCE.md') ?? '',
      /^- `card` \(`scalar`, one of `payment`\): The card number/m,
    );
  });

  it('list releases, newest first', async () => {
    const headings = ((await documents('basic')).get('CHANGELOG.md') ?? '').match(/^##+ .*/gm);
    assert.deepEqual(headings, ['## 1.1.0', '### Added', '### Changed', '## 1.0.0', '### Added']);
  });

  it('show one callable example in llms.txt', async () => {
    const llms = (await documents('basic')).get('llms.txt') ?? '';
    assert.ok(llms.startsWith('# Acme Text\n\n> Words, counts and lines of plain text.\n'));
    assert.match(llms, /^## Example\n\n```toy\ncall it\n```$/m);
    assert.doesNotMatch(llms, /split-lines/);
  });
});

import assert from 'node:assert/strict';
import { compileTemplates } from '../../../generator/render/compile-templates.ts';
import { renderFiles } from '../../../generator/render/render-files.ts';
import type { TemplateSet } from '../../../generator/render/template-set.ts';

describe('rendering', () => {
  it('renders a view with its template', () => {
    assert.equal(render('Hello {{name}}\n', { name: 'Ada' }), 'Hello Ada\n');
  });

  it('inserts values verbatim, without evaluating them as templates', () => {
    assert.equal(
      render('{{text}}', { text: '<b> & "x" {{name}} {{{name}}} {{> part}}' }),
      '<b> & "x" {{name}} {{{name}}} {{> part}}',
    );
  });

  it('renders partials in place', () => {
    const templates = templateSet({
      sdk: { t: '{{#each items}}\n  {{> item}}\n{{/each}}\n' },
      parts: { item: '{{text}}\n' },
    });
    const items = [{ text: 'a\nb' }, { text: 'c' }];
    assert.equal(
      renderFiles([{ path: 'x', template: 't', view: { items } }], templates)[0]?.content,
      '  a\nb\n  c\n',
    );
  });

  it('finds the templates of shared documents', () => {
    const templates = templateSet({ documents: { 'llms.txt': '{{title}}' } });
    const views = [{ path: 'x', template: 'documents/llms.txt', view: { title: 'T' } }];
    assert.deepEqual(renderFiles(views, templates), [{ path: 'x', content: 'T' }]);
  });

  it('reports a missing template with the path of its file', () => {
    assert.throws(
      () => renderFiles([{ path: 'src/a.ts', template: 'src/b.ts', view: {} }], templateSet({})),
      /^Error: src\/a\.ts: there is no template src\/b\.ts\.hbs$/,
    );
  });

  it('reports a missing value with the path of its file', () => {
    assert.throws(() => render('{{name}}', {}), /^Error: x: "name" not defined/);
  });

  it('ignores inherited properties', () => {
    assert.equal(render('{{toString}}', {}), '');
    assert.equal(render('{{#if constructor}}yes{{else}}no{{/if}}', {}), 'no');
  });
});

function render(source: string, view: object): unknown {
  const views = [{ path: 'x', template: 't', view }];
  return renderFiles(views, templateSet({ sdk: { t: source } }))[0]?.content;
}

function templateSet(
  sources: Partial<Record<'sdk' | 'parts' | 'documents', Record<string, string>>>,
): TemplateSet {
  const { sdk = {}, parts = {}, documents = {} } = sources;
  return compileTemplates({
    sdk: new Map(Object.entries(sdk)),
    parts: new Map(Object.entries(parts)),
    documents: new Map(Object.entries(documents)),
    runtime: new Map(),
  });
}

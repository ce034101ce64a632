import assert from 'node:assert/strict';

import { templateExpressions } from './templates.ts';

describe('the template rule', () => {
  it('accepts names, each, if, else, unless, comments and partials', () => {
    const template = `{{! a comment }}{{client.name}}{{{raw}}}{{#each methods}}{{> method}}{{name}}{{#unless @last}},{{/unless}}
      {{else}}none{{/each}}{{#if deprecated}}old{{else}}new{{/if}}{{> notice client}}`;
    assert.deepEqual(templateExpressions('x.hbs', template), []);
  });

  for (const template of [
    `{{upper name}}`,
    `{{join names ","}}`,
    `{{name upper=true}}`,
    `{{#if (eq language "go")}}x{{/if}}`,
    `{{#eq a b}}x{{/eq}}`,
    `{{#with client}}x{{/with}}`,
    `{{#if a b}}x{{/if}}`,
    `{{> (lookup . "part")}}`,
    `{{> part name="x"}}`,
    `{{"literal"}}`,
    `{{#> layout}}x{{/layout}}`,
    `{{#each methods}}{{#if a}}{{lookup b c}}{{/if}}{{/each}}`,
    `{{#if a}}x{{else}}{{lookup b c}}{{/if}}`,
  ]) {
    it(`finds ${template}`, () => {
      assert.equal(templateExpressions('x.hbs', `\n${template}`).length, 1);
      assert.match(templateExpressions('x.hbs', `\n${template}`).join(), /^x\.hbs:2: /);
    });
  }
});

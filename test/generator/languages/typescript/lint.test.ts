import assert from 'node:assert/strict';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { printedFiles, renderedFixtures, runtimeFiles } from './rendered-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

/** The strictest rules of typescript-eslint that need no types. Comments cannot disable them. */
const config = [
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  { files: ['**/*.ts', '**/*.js'], linterOptions: { noInlineConfig: true } },
] as Linter.Config[];

suiteNeeds('typescript', 'lint of the TypeScript SDK', () => {
  it('is clean under typescript-eslint strict, without suppressions', async function () {
    this.timeout(300_000);
    const fixtures = await renderedFixtures();
    const linter = new Linter();
    const sources = [
      ...runtimeFiles(fixtures[0]!),
      ...fixtures.flatMap((fixture) =>
        printedFiles(fixture).map(([file, text]): [string, string] => [`${fixture.name}/${file}`, text]),
      ),
    ].filter(([file]) => /\.[jt]s$/.test(file));
    const problems = sources.flatMap(([file, text]) =>
      linter
        .verify(text, config, { filename: file })
        .map(({ line, ruleId, message }) => `${file}:${line} ${ruleId ?? ''} ${message}`),
    );
    assert.ok(sources.length > 80);
    assert.deepEqual(problems, []);
  });

  it('reports an explicit any, as a control', () => {
    const [problem] = new Linter().verify('export const value: any = 1;\n', config, { filename: 'a.ts' });
    assert.equal(problem?.ruleId, '@typescript-eslint/no-explicit-any');
  });
});

import assert from 'node:assert/strict';
import { Linter } from 'eslint';
import { check, getFileInfo } from 'prettier';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { printedFiles, type RenderedFixture, runtimeFiles } from '../typescript/rendered-fixtures.ts';
import { sharedProgram } from '../typescript/shared-program.ts';
import { pageFixtures } from './page-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

/** As strict as for TypeScript: see lint.test.ts there. */
const config = [
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  { files: ['**/*.ts', '**/*.js'], linterOptions: { noInlineConfig: true } },
] as Linter.Config[];

/** Files that the TypeScript suites already check for the same fixtures. */
const sameInTypeScript = /^(?:src\/messages\.ts|REFERENCE\.md|CHANGELOG\.md)$/;

suiteNeeds('typescript', 'sources of the SDK for browsers', () => {
  let fixtures: RenderedFixture[];
  let sources: [name: string, text: string][];

  before(async function () {
    this.timeout(180_000);
    fixtures = await pageFixtures();
    sources = [
      ...runtimeFiles(fixtures[0]!),
      ...fixtures.flatMap((fixture) =>
        printedFiles(fixture)
          .filter(([file]) => !sameInTypeScript.test(file))
          .map(([file, text]): [string, string] => [`${fixture.name}/${file}`, text]),
      ),
    ];
  });

  it('are formatted by prettier, including pages', async function () {
    this.timeout(240_000);
    const changed: string[] = [];
    for (const [file, text] of sources) {
      const { inferredParser } = await getFileInfo(file);
      if (inferredParser === null) continue;
      if (!(await check(text, { filepath: file, parser: inferredParser }))) changed.push(file);
    }
    assert.ok(sources.some(([file]) => file.endsWith('.html')));
    assert.deepEqual(changed, []);
  });

  it('are clean under typescript-eslint strict, without suppressions', function () {
    this.timeout(300_000);
    const linter = new Linter();
    const problems = sources
      .filter(([file]) => /\.[jt]s$/.test(file))
      .flatMap(([file, text]) =>
        linter
          .verify(text, config, { filename: file })
          .map(({ line, ruleId, message }) => `${file}:${line} ${ruleId ?? ''} ${message}`),
      );
    assert.deepEqual(problems, []);
  });

  it('pass the strict type check in every fixture, including tests, examples and snippets', function () {
    this.timeout(300_000);
    const program = sharedProgram(fixtures, { types: ['node'] });
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName ?? ''} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    assert.deepEqual(problems, []);
  });

  it('have examples with the same statements and pages for any names and texts', () => {
    const { SyntaxKind } = ts;
    const pages = new Set<string>();
    let examples = 0;
    for (const fixture of fixtures)
      for (const [file, text] of printedFiles(fixture)) {
        if (/^examples\/.*\.html$/.test(file)) pages.add(text.replace(/src="\.\/[a-z\d_-]+\.js"/, ''));
        if (!/^examples\/.*\.js$/.test(file)) continue;
        examples += 1;
        const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
        assert.deepEqual(
          statements.map(({ kind }) => kind),
          [
            SyntaxKind.ImportDeclaration,
            SyntaxKind.ImportDeclaration,
            SyntaxKind.FirstStatement,
            SyntaxKind.ExpressionStatement,
          ],
          `${fixture.name}/${file}`,
        );
      }
    assert.ok(examples > 20);
    assert.ok([...pages].every((page) => page.match(/<script/g)?.length === 1 && !/\bon\w+=/.test(page)));
    assert.ok(pages.size <= 2, 'the tag of a script is on one line or on many');
  });

  it('use no Node.js APIs and no environment variables', () => {
    const [first] = fixtures;
    const used = [...first!.files].filter(
      ([file, text]) => file.startsWith('src/') && /\bprocess\b|\bBuffer\b|"node:/.test(text),
    );
    assert.deepEqual(
      used.map(([file]) => file),
      [],
    );
  });
});

suiteNeeds('processes', 'the calls of the SDK for browsers', () => {
  it('are flows only, and the README explains nodes', async function () {
    this.timeout(180_000);
    for (const { name, model, files, language } of await pageFixtures()) {
      const { terms, manifest, ...plan } = language.plan(model);
      for (const member of model.members) {
        const isCalled = member.type === 'flow';
        assert.equal(terms.call(member) !== undefined, isCalled, `${name}: ${member.alias}`);
        assert.equal(manifest.example(member) !== undefined, isCalled);
        assert.equal(plan.snippet(member) !== '', isCalled);
      }
      const nodes = model.members.some(({ type }) => type === 'node');
      assert.equal((files.get('README.md') ?? '').includes('## Nodes'), nodes, name);
      assert.doesNotMatch(files.get('src/operations.ts') ?? '', /invokeNode/);
    }
  });
});

import assert from 'node:assert/strict';
import { Project, type SourceFile, ts } from 'ts-morph';

import { planNames } from '../../../../generator/languages/typescript/names.ts';
import { callNames, type RenderedFixture, renderedFixtures } from './rendered-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('typescript', 'the surface of the TypeScript SDK', () => {
  let fixtures: RenderedFixture[];
  before(async () => {
    fixtures = await renderedFixtures();
  });

  it('exports the client and every call, message and enum under its planned name', () => {
    for (const fixture of fixtures) {
      const exported = new Set(indexOf(fixture).getExportedDeclarations().keys());
      const names = planNames(fixture.model);
      const planned = [names.client, ...callNames(names), ...names.types.values()];
      assert.deepEqual(
        planned.filter((name) => !exported.has(name)),
        [],
        `${fixture.name} does not export what it plans`,
      );
    }
  });

  it('has exactly the planned methods, and those for any run and all pauses', () => {
    for (const fixture of fixtures) {
      const names = planNames(fixture.model);
      const [client] = indexOf(fixture).getExportedDeclarations().get(names.client) ?? [];
      const methods = client?.asKindOrThrow(ts.SyntaxKind.ClassDeclaration).getMethods() ?? [];
      assert.deepEqual(
        methods.map((method) => method.getName()).sort(),
        [...callNames(names), 'execution', 'listPauses'].sort(),
        fixture.name,
      );
      assert.ok(
        methods.every((method) => {
          const taken = method.getParameters().map((parameter) => parameter.getName());
          return (
            ['input,options', 'inputs,options', 'options', 'id'].includes(taken.join()) &&
            method.getJsDocs().length === 1
          );
        }),
        `${fixture.name}: each method takes input or inputs and options, options alone, or an id, and says what it does`,
      );
    }
  });
});

/** Returns `src/index.ts` of an archive, linked in memory to the files from which it exports. */
function indexOf({ files }: RenderedFixture): SourceFile {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  for (const [path, text] of files) if (path.startsWith('src/')) project.createSourceFile(path, text);
  return project.getSourceFileOrThrow('src/index.ts');
}

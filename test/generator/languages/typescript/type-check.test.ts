import assert from 'node:assert/strict';
import ts from 'typescript';
import type { Language } from '../../../../generator/language.ts';
import { renderedFixtures } from './rendered-fixtures.ts';
import { sharedProgram } from './shared-program.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('typescript', 'types of the TypeScript SDK', () => {
  let program: ts.Program;

  before(async function () {
    this.timeout(300_000);
    program = sharedProgram(await renderedFixtures());
  });

  it('pass the type check in sources, tests, examples and snippets of every fixture', function () {
    this.timeout(300_000);
    assert.deepEqual(ts.getPreEmitDiagnostics(program).map(describeDiagnostic), []);
  });

  it('are checked with the strictest options', () => {
    const options = program.getCompilerOptions();
    for (const option of ['strict', 'noUncheckedIndexedAccess', 'exactOptionalPropertyTypes', 'checkJs'])
      assert.equal(options[option], true, option);
  });

  it('fail the check when a snippet is wrong', async function () {
    this.timeout(300_000);
    const [first] = await renderedFixtures();
    const snippet = (): string => 'const wrong: number = "text"; export { wrong };';
    const language: Language = {
      ...first!.language,
      plan: (model) => ({ ...first!.language.plan(model), snippet }),
    };
    const broken = sharedProgram([{ ...first!, language }]);
    assert.match(ts.getPreEmitDiagnostics(broken).map(describeDiagnostic).join('\n'), /snippet-0\.ts/);
  });
});

function describeDiagnostic({ file, start, messageText }: ts.Diagnostic): string {
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
  return `${file?.fileName ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}

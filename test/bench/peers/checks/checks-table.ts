import { markdownTable } from '../../report.ts';
import { type Checked, languageChecks } from './run-checks.ts';

/** Findings of compilers and linters, a part of the section on other generators. */
export function checksTable({ nodes, rows, absent }: Checked): string {
  const said = (verdict: boolean | undefined): string =>
    verdict === undefined ? '' : verdict ? 'yes' : '**no**';
  const tools = languageChecks.map((check) => check.tools).join('; ');
  return [
    `What compilers and linters say of the SDKs, ${nodes} nodes (\`npm run bench:peers -- --checks\`). *compiles*: all of it, in Python: can be ` +
      `imported. *findings* of linters (${tools}). *hostile*: compiles when names are words of the language, or collide, and when ` +
      'text would end comments and strings (the cases `hostile-names` and `hostile-text` of `fixtures/sdk`, the others read their OpenAPI ' +
      'documents). C# of the others needs packages of NuGet, and is left out.',
    markdownTable(
      ['language', 'generator', 'compiles', 'findings', 'hostile names', 'hostile text'],
      rows.map(({ language, generator, plain, hostileNames, hostileText }) => [
        language,
        generator,
        said(plain?.compiles),
        plain?.warnings === undefined ? '' : String(plain.warnings),
        said(hostileNames),
        said(hostileText),
      ]),
    ),
    ...(absent.length > 0 ? [`Not looked at: ${absent.join('; ')}.`] : []),
  ].join('\n\n');
}

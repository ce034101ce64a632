import { markdownTable } from '../../report.ts';
import { type Checked, languageChecks } from './run-checks.ts';

/** Findings of compilers and linters, as part of the section on other generators. */
export function checksTable({ nodes, rows, absent }: Checked): string {
  const said = (verdict: boolean | undefined): string =>
    verdict === undefined ? '' : verdict ? 'yes' : '**no**';
  const tools = languageChecks.map((check) => check.tools).join('; ');
  return [
    `What compilers and linters report about the SDKs for ${nodes} nodes (\`npm run bench:peers -- --checks\`). *compiles*: every file ` +
      `compiles (Python: can be imported). *findings*: how many problems the linters report (${tools}). *hostile*: the SDK still compiles ` +
      'when names are keywords or collide, and when text contains the end of a comment or string (the cases `hostile-names` and ' +
      '`hostile-text` in `fixtures/sdk`; the other generators read their OpenAPI documents). C# is left out for the others, ' +
      'because their output needs NuGet packages.',
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

// npm run conformance:cel [-- --write] [-- --section <name>]: prints the table, writes docs/cel-conformance.md, or lists failing tests.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { getConformanceSuite, getParsingSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import prettier from 'prettier';
import { conformanceRows, renderReport } from './report.ts';
import { runSuite } from './run-suite.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean' }, section: { type: 'string' } } });
const page = new URL('../../../../../docs/cel-conformance.md', import.meta.url);

async function versionOf(name: string): Promise<string> {
  const entry = createRequire(import.meta.url).resolve(
    `${name}${name.endsWith('spec') ? '/testdata/tests.js' : ''}`,
  );
  const folder = entry.slice(0, entry.indexOf(name) + name.length);
  return (JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as { version: string }).version;
}

if (values.section !== undefined) {
  const results = [getConformanceSuite(), getParsingSuite()].flatMap((suite) => runSuite(suite));
  for (const { section, name, expr, notes } of results) {
    if (section === values.section && notes.length > 0)
      process.stdout.write(`${name}: ${expr}\n  ${notes.join('\n  ')}\n`);
  }
} else {
  const versions = { cel: await versionOf('@bufbuild/cel'), suite: await versionOf('@bufbuild/cel-spec') };
  const report = await prettier.format(renderReport(conformanceRows(), versions), { parser: 'markdown' });
  if (values.write) await writeFile(page, report);
  else process.stdout.write(report);
}

// `npm run golden` rewrites the expected output of every case of fixtures/sdk, and the expected documents in fixtures/specs.
// `npm run golden -- go python` rewrites the expected output of these languages only.
// `npm run golden -- --to <folder> [language...]` writes every file of every case to <folder>/<case>/<language> instead. Compare
// two such folders to review a case whose expected output is kept as hashes.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { listLanguages, loadLanguage } from '../../service/languages/load-language.ts';
import { listSdkFixtures } from './sdk-fixtures.ts';
import { goldenFiles, writeFiles, writeGolden } from './sdk-goldens.ts';
import { writeSpecGoldens } from './spec-goldens.ts';

const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string' } },
});

for (const id of chosen.length === 0 ? await listLanguages() : chosen) {
  const loaded = await loadLanguage(id);
  for (const name of listSdkFixtures()) {
    const files = await goldenFiles(name, loaded);
    if (values.to === undefined) writeGolden(name, id, files);
    else writeFiles(path.join(values.to, name, id), files);
  }
}
if (chosen.length === 0 && values.to === undefined) await writeSpecGoldens();

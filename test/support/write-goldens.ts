// `npm run golden`: writes what every language prints for every case of fixtures/sdk, and the documents of fixture packages and
// flows, as what is expected from now on. `npm run golden -- go python` writes those languages alone.
import { listLanguages, loadLanguage } from '../../service/builds/load-language.ts';
import { listSdkFixtures } from './sdk-fixtures.ts';
import { goldenFiles, writeGolden } from './sdk-goldens.ts';
import { writeSpecGoldens } from './spec-goldens.ts';

const chosen = process.argv.slice(2);
for (const id of chosen.length === 0 ? await listLanguages() : chosen) {
  const loaded = await loadLanguage(id);
  for (const name of listSdkFixtures()) writeGolden(name, id, await goldenFiles(name, loaded));
}
if (chosen.length === 0) await writeSpecGoldens();

// `npm run golden`: writes what every language prints for every case of fixtures/sdk, and the documents of fixture packages and
// flows, as what is expected from now on.
import { listLanguages, loadLanguage } from '../../service/builds/load-language.ts';
import { listSdkFixtures } from './sdk-fixtures.ts';
import { goldenFiles, writeGolden } from './sdk-goldens.ts';
import { writeSpecGoldens } from './spec-goldens.ts';

for (const id of await listLanguages()) {
  const loaded = await loadLanguage(id);
  for (const name of listSdkFixtures()) writeGolden(name, id, await goldenFiles(name, loaded));
}
await writeSpecGoldens();

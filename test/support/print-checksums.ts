// Prints the sha256 of archives as JSON, one for each argument `<language> <case of fixtures/sdk>`.
import { generateSdk } from '../../generator/generate-sdk.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { loadSdkFixture } from './sdk-fixtures.ts';

const checksums: Record<string, string> = {};
for (const wanted of process.argv.slice(2)) {
  const [id = '', name = ''] = wanted.split(' ');
  const { language, templates } = await loadLanguage(id);
  const { sha256 } = await generateSdk(await loadSdkFixture(name), language, templates);
  checksums[wanted] = sha256;
}
process.stdout.write(JSON.stringify(checksums));

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { generateSdk } from '../../../generator/generate-sdk.ts';
import { loadLanguage } from '../../../service/languages/load-language.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import { largeSource } from '../large-source.ts';

/**
 * A complete process of our generator, from .proto texts to archives on the disk, one language after the other.
 *
 * `node write-archives.ts <nodes> <folder> <language>...`
 */
const [nodes = '', folder = '', ...languages] = parseArgs({ allowPositionals: true }).positionals;
const source = await largeSource(Number(nodes));
const models = createVersionModels();
for (const id of languages) {
  const { language, templates } = await loadLanguage(id);
  const { bytes } = await generateSdk(models.modelOf(source), language, templates);
  await writeFile(path.join(folder, `${id}.zip`), bytes);
}

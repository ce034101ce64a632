import assert from 'node:assert/strict';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { cargoFolder, writeFiles } from '../../../support/cargo.ts';
import { listSdkFixtures, loadSdkFixture } from '../../../support/sdk-fixtures.ts';

/** Archives of fixtures, each unpacked into its own folder, as the members of one workspace, so that cargo checks all at once. */
export interface RustWorkspace {
  root: string;
  names: string[];
  /** Text of every file of every archive, by `<fixture>/<path>`. */
  files: ReadonlyMap<string, string>;
}

/** @param folder name of a place that no other suite uses */
export async function writeRustWorkspace(folder: string, names = listSdkFixtures()): Promise<RustWorkspace> {
  const root = await cargoFolder(folder);
  const { language, templates } = await loadLanguage('rust');
  const files = new Map<string, string>();
  for (const name of names) {
    for (const { path, content } of await sdkFiles(await loadSdkFixture(name), language, templates)) {
      files.set(`${name}/${path}`, typeof content === 'string' ? content : new TextDecoder().decode(content));
    }
  }
  // Cargo ignores the settings of members, so those of an archive are copied to the workspace.
  const file = '.cargo/config.toml';
  const settings = files.get(`${names[0]}/${file}`);
  assert.ok(settings, `an archive has no ${file}`);
  const members = names.map((name) => JSON.stringify(name)).join(', ');
  await writeFiles(root, [
    { path: 'Cargo.toml', content: `[workspace]\nresolver = "3"\nmembers = [${members}]\n` },
    { path: file, content: settings },
    ...Array.from(files, ([path, content]) => ({ path, content })),
  ]);
  return { root, names, files };
}

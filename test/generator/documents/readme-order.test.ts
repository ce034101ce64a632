import assert from 'node:assert/strict';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { listLanguages, loadLanguage } from '../../../service/languages/load-language.ts';
import { loadSdkFixture } from '../../support/sdk-fixtures.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

/** Members in an order in which a tenant may have added them. In the order of names, others of their kind would come first. */
const added = ['return', 'write-text', 'parse-logs'];

for (const id of await listLanguages()) {
  // esbuild, which compiles the TypeScript archives, is a program.
  const suite = id.startsWith('typescript') ? suiteNeeds.bind(undefined, 'processes') : describe;
  suite(`the README of ${id}`, () => {
    it('shows the flow that was added first', async () => {
      const section = await sectionOf(id, 'Running flows');
      assert.match(section, /start_?return/i);
      assert.doesNotMatch(section, /echo_?twice/i);
    });

    it('shows streams of the members that were added first', async () => {
      const section = await sectionOf(id, 'Streams');
      assert.match(section, /write_?text/i);
      assert.doesNotMatch(section, /continue_?text/i);
    });
  });
}

async function sectionOf(id: string, title: string): Promise<string> {
  const model = await loadSdkFixture('conformance');
  const order = [...added, ...model.order.filter((alias) => !added.includes(alias))];
  const { language, templates } = await loadLanguage(id);
  const files = await sdkFiles({ ...model, order }, language, templates);
  const readme = files.find(({ path }) => path === 'README.md')?.content ?? '';
  const text = typeof readme === 'string' ? readme : new TextDecoder().decode(readme);
  return text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
}

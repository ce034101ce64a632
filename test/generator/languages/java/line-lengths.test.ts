import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { writeFiles } from '../../../support/cargo.ts';
import { formatterJar, JAVA_TOOLS_TIMEOUT_MS, runJava } from '../../../support/java-tools.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { longNameModel } from '../long-name-models.ts';

/** All other files are independent of names. */
const dependsOnNames = /\/(LengthsClient|ClientTest|Maa+|\w+Example)\.java$/;

suiteNeeds('java', 'lines of the Java SDK', function () {
  this.timeout(JAVA_TOOLS_TIMEOUT_MS);

  it('break like google-java-format for names of any length', async () => {
    const { language, templates } = await loadLanguage('java');
    const folder = await temporaryFolder({});
    try {
      const sources: string[] = [];
      for (let length = 30; length <= 80; length += 1) {
        const model = longNameModel({ alias: length, type: length, fields: length % 2 });
        const files = await sdkFiles(model, language, templates);
        const own = files.filter(({ path: file }) => dependsOnNames.test(file));
        await writeFiles(path.join(folder.path, `${length}`), own);
        sources.push(...own.map(({ path: file }) => `${length}/${file}`));
      }
      await writeFile(path.join(folder.path, 'sources'), sources.join('\n'));
      const options = ['--dry-run', '--set-exit-if-changed', '@sources'];
      const { code, output } = await runJava('java', ['-jar', await formatterJar(), ...options], folder.path);
      assert.equal(output, '');
      assert.equal(code, 0);
    } finally {
      await folder.remove();
    }
  });
});

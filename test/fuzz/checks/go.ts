import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runGo } from '../../support/go-tools.ts';
import { inFolders } from '../archive-folders.ts';
import type { NamesCheck } from '../names-check.ts';

/** gofmt, and go vet over packages, tests and examples of all archives in one workspace. */
export const check: NamesCheck = {
  toolchain: 'go',
  problems: (archives) =>
    inFolders(archives, async (root) => {
      const names = archives.map(({ name }) => name);
      const uses = names.map((name) => `\t./${name}\n`).join('');
      await writeFile(path.join(root, 'go.work'), `go 1.24\n\nuse (\n${uses})\n`);
      const format = await runGo('gofmt', ['-s', '-l', ...names], root);
      const vet = await runGo('go', ['vet', ...names.map((name) => `./${name}/...`)], root);
      return `${format.output}${vet.code === 0 ? '' : vet.output}`;
    }),
};

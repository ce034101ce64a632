import { runGo } from '../../support/go-tools.ts';
import { inFolders, withoutRuntime } from '../archive-folders.ts';
import type { NamesCheck } from '../names-check.ts';
import { writeGoWorkspace } from '../one-go-runtime.ts';

/** gofmt, and go vet for packages, tests and examples of all archives, in one workspace with one runtime. */
export const check: NamesCheck = {
  toolchain: 'go',
  problems: (archives) =>
    inFolders(withoutRuntime(archives), async (root) => {
      const names = archives.map(({ name }) => name);
      const format = await runGo('gofmt', ['-s', '-l', ...names], root);
      await writeGoWorkspace(root, archives);
      const vet = await runGo('go', ['vet', ...names.map((name) => `./${name}/...`)], root);
      return `${format.output}${vet.code === 0 ? '' : vet.output}`;
    }),
};

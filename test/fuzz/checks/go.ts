import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFiles } from '../../support/cargo.ts';
import { runGo } from '../../support/go-tools.ts';
import { archiveFiles, copiedFiles, inFolders, withoutRuntime } from '../archive-folders.ts';
import type { FuzzedArchive, NamesCheck } from '../names-check.ts';

/** Module of the one runtime; its path begins that of every archive, which may therefore import what is internal. */
const runtimeModule = 'go.svc.internal';

/** gofmt, and go vet over packages, tests and examples of all archives in one workspace, with one runtime. */
export const check: NamesCheck = {
  toolchain: 'go',
  problems: (archives) =>
    inFolders(withoutRuntime(archives), async (root) => {
      const names = archives.map(({ name }) => name);
      const uses = ['runtime', ...names].map((name) => `\t./${name}\n`).join('');
      await writeFile(path.join(root, 'go.work'), `go 1.24\n\nuse (\n${uses})\n`);
      const format = await runGo('gofmt', ['-s', '-l', ...names], root);
      const pointed = withoutRuntime(archives).map(toOneRuntime);
      await writeFiles(root, [...archiveFiles(pointed), ...runtimeFiles(archives)]);
      const vet = await runGo('go', ['vet', ...names.map((name) => `./${name}/...`)], root);
      return `${format.output}${vet.code === 0 ? '' : vet.output}`;
    }),
};

/** The runtime of the first archive as a module of its own. */
function runtimeFiles([first]: readonly FuzzedArchive[]): { path: string; content: string }[] {
  if (first === undefined) return [];
  const copied = copiedFiles(first);
  const { files } = toOneRuntime(first);
  return [
    { path: 'runtime/go.mod', content: `module ${runtimeModule}\n\ngo 1.24\n` },
    ...Array.from(files, ([file, content]) => ({ path: `runtime/${file}`, content })).filter(({ path }) =>
      copied.has(path.slice('runtime/'.length)),
    ),
  ];
}

/** The archive with imports of the one runtime. */
function toOneRuntime(archive: FuzzedArchive): FuzzedArchive {
  const own = moduleOf(archive);
  const files = Array.from(archive.files, ([file, text]): [string, string] => [
    file,
    ['svc', 'internal/calls', 'internal/config', 'internal/protojson'].reduce(
      (changed, name) => changed.replaceAll(`"${own}/${name}"`, `"${runtimeModule}/${name}"`),
      text,
    ),
  ]);
  return { ...archive, files: new Map(files) };
}

function moduleOf({ files }: FuzzedArchive): string {
  return /^module (\S+)$/m.exec(files.get('go.mod') ?? '')?.[1] ?? '';
}

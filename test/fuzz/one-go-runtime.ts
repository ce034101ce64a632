import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFiles } from '../support/cargo.ts';
import { archiveFiles, copiedFiles, withoutRuntime } from './archive-folders.ts';
import type { FuzzedArchive } from './names-check.ts';

/** Module of the shared runtime. Its path is a prefix of those of all archives, so they may import its internal packages. */
const runtimeModule = 'go.svc.internal';

/** Writes archives into one workspace, each in its own folder. All use the runtime of the first, in the folder `runtime`. */
export async function writeGoWorkspace(root: string, archives: readonly FuzzedArchive[]): Promise<void> {
  const uses = ['runtime', ...archives.map(({ name }) => name)].map((name) => `\t./${name}\n`).join('');
  await writeFile(path.join(root, 'go.work'), `go 1.24\n\nuse (\n${uses})\n`);
  const pointed = withoutRuntime(archives).map(toOneRuntime);
  await writeFiles(root, [...archiveFiles(pointed), ...runtimeFiles(archives)]);
}

/** Returns the runtime of the first archive as its own module. */
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

/** Returns the archive with imports of the shared runtime. */
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

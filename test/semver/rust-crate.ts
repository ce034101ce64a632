import { copiedFiles } from '../fuzz/archive-folders.ts';
import type { FuzzedArchive } from '../fuzz/names-check.ts';

/** Modules that belong to the archive and not to the runtime. */
const ownModules = ['calls', 'members', 'messages'] as const;
/** A module of the runtime that differs between archives, because its documentation has a program that names the crate. */
const namingModule = 'src/http.rs';

/**
 * Returns the libraries of many archives as one crate: a module per archive, with its name, and the runtime of the first. rustdoc
 * takes a second for the runtime, and almost no time for the rest of an archive.
 */
export function crateOfArchives(archives: readonly FuzzedArchive[]): { path: string; content: string }[] {
  const [first] = archives;
  if (first === undefined) return [];
  const copied = copiedFiles(first);
  const runtime = [...first.files].filter(
    ([file]) => file === namingModule || (file.startsWith('src/') && copied.has(file)),
  );
  return [
    {
      path: 'Cargo.toml',
      content: (first.files.get('Cargo.toml') ?? '').replace(/^name = .*$/m, 'name = "pairs"'),
    },
    { path: 'src/lib.rs', content: rootOf(first, archives) },
    ...runtime.map(([path, content]) => ({ path, content })),
    ...archives.flatMap((archive) => [
      { path: `src/${moduleOf(archive)}/mod.rs`, content: moduleSource },
      ...ownModules.map((name) => ({
        path: `src/${moduleOf(archive)}/${name}.rs`,
        content: inModule(archive.files.get(`src/${name}.rs`) ?? ''),
      })),
    ]),
  ];
}

function moduleOf({ name }: FuzzedArchive): string {
  return name.replace('-', '_');
}

/** Returns `lib.rs` with the modules of all archives instead of its own. */
function rootOf({ files }: FuzzedArchive, archives: readonly FuzzedArchive[]): string {
  const lines = (files.get('src/lib.rs') ?? '').split('\n');
  const own = new Set(ownModules.flatMap((name) => [`mod ${name};`, `pub mod ${name};`]));
  const kept = lines.filter((line) => !own.has(line));
  const withoutTests = kept
    .join('\n')
    .replace('#[cfg(test)]\nmod tests;\n', '')
    .replace(/#\[cfg\(doctest\)\][^]*$/, '');
  return `${withoutTests}${archives.map((archive) => `pub mod ${moduleOf(archive)};\n`).join('')}`;
}

/** Each archive gets its own client type for its methods, which does the same as the runtime's. */
const moduleSource = `mod calls;
pub mod members;
pub mod messages;

pub struct Client(crate::Client);

impl std::ops::Deref for Client {
    type Target = crate::Client;

    fn deref(&self) -> &crate::Client {
        &self.0
    }
}
`;

/** Redirects a file's imports of the archive's own modules to the parent module. */
function inModule(text: string): string {
  return text.replace(/^use crate::(?:\{([^}]*)\}|(\w+));$/gm, (_, list: string | undefined, one: string) => {
    const names = (list ?? one).split(',').map((name) => name.trim());
    const isOwn = (name: string): boolean => ['Client', ...ownModules].includes(name);
    return names
      .filter((name) => name !== '')
      .map((name) => `use ${isOwn(name) ? 'super' : 'crate'}::${name};`)
      .join('\n');
  });
}

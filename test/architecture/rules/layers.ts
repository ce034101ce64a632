import type { Rule } from '../source-tree.ts';

/** Who may import whom at the top: `specs <- generator <- service`; nothing imports `test`, `fixtures` stand alone. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  specs: ['specs'],
  generator: ['specs', 'generator'],
  // package.json for the program's own version.
  service: ['specs', 'generator', 'service', 'package.json'],
  fixtures: ['fixtures'],
  test: ['specs', 'generator', 'service', 'fixtures', 'test'],
};

/**
 * Inside `service`, by folder or file directly in it: each imports only from itself and from those left of it. The bars are for
 * the reader. A new folder gets its place here and in ARCHITECTURE.md.
 */
const SERVICE_ORDER: readonly string[] = (
  'node-authorities node-hosts config clock in-time polling bounded-cache transient-map ids logging metrics telemetry errors work | objects store | access messages | nodes | engine | warm languages clients builds documents instances pages | http | ' +
  'sweeps readiness idle-collection open-files shutdown app main cli'
)
  .split(/[ |]+/)
  .filter((room) => room !== '');

/**
 * Sub-folders, by the folder that holds them. Each imports only from itself and from those left of the bar before it: folders
 * between two bars do not import each other. The files directly in a folder may be imported by all of its sub-folders. A new
 * sub-folder gets its place here.
 */
const SUB_FOLDERS: Readonly<Record<string, string>> = {
  specs: 'messages operations | json-schema | openapi',
  generator:
    'layout text | model | changes | names documents | type-texts samples render | languages archive',
  'generator/languages': 'csharp go java python rust typescript | typescript-browser',
  'service/access': 'secrets gate',
  'service/cli': 'backup completion demo | actions | commands',
  'service/engine':
    'work | text | cel transforms | adapters | graph | preview journal | events wait | follow | run | admit pauses stream | fork',
  'service/engine/cel': 'check | cost | functions',
  'service/engine/graph': 'diagram link | load compile | mutation',
  'service/http': 'connections request upgrade | answer | present | routes',
  'service/messages': 'compile drafts wire | json | convert',
  'service/nodes': 'container | verify | call serve | live split scaffold',
  'service/pages': 'assets',
  'service/store': 'migrations prepared | commit',
  'specs/openapi': 'components',
};

/** Imports point one way (the layer table of ARCHITECTURE.md), and every sub-folder has a place. */
export const layers: Rule = (tree) => [
  ...[...tree.values()].flatMap((file) =>
    file.imports.flatMap(({ target }) => {
      const reason =
        target === undefined ? undefined : (whyNot(file.path, target) ?? whyNotInside(file.path, target));
      const place = `${file.path} imports ${String(target)}`;
      return reason === undefined ? [] : [`${place}: ${reason}`];
    }),
  ),
  ...foldersWithoutPlace([...tree.keys()]),
];

/** The level of a sub-folder, from 0; undefined for one without a place. */
function levelOf(parent: string, name: string): number | undefined {
  const levels = (SUB_FOLDERS[parent] ?? '').split('|').map((level) => level.trim().split(' '));
  const index = levels.findIndex((level) => level.includes(name));
  return index < 0 ? undefined : index;
}

/** Compares the sub-folders of the deepest folder that holds both files. */
function whyNotInside(from: string, to: string): string | undefined {
  const [here, there] = [from.split('/'), to.split('/')];
  const depth = here.findIndex((part, index) => part !== there[index]);
  // A file directly in the folder has no level.
  if (depth === here.length - 1 || depth === there.length - 1) return undefined;
  const parent = here.slice(0, depth).join('/');
  const [fromName = '', toName = ''] = [here[depth], there[depth]];
  const [fromLevel, toLevel] = [levelOf(parent, fromName), levelOf(parent, toName)];
  if (fromLevel === undefined || toLevel === undefined || toLevel < fromLevel) return undefined;
  const where = toLevel === fromLevel ? 'on the level' : 'right';
  return `inside ${parent}, ${toName} stands ${where} of ${fromName}`;
}

function foldersWithoutPlace(files: readonly string[]): string[] {
  const folders = new Set(
    files
      .filter((file) => /^(specs|generator|service)\//.test(file))
      .flatMap((file) => {
        const parts = file.split('/').slice(0, -1);
        return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
      }),
  );
  return [...folders].sort().flatMap((folder) => {
    const cut = folder.lastIndexOf('/');
    const [parent, name] = [folder.slice(0, Math.max(cut, 0)), folder.slice(cut + 1)];
    if (parent === '' || parent === 'service' || levelOf(parent, name) !== undefined) return [];
    return [`${folder} has no place among the sub-folders of ${parent} (test/architecture/rules/layers.ts)`];
  });
}

function whyNot(from: string, to: string): string | undefined {
  const [fromFolder = '', fromRoom] = from.split('/');
  const [toFolder = '', toRoom] = to.split('/');
  if (!FOLDERS[fromFolder]?.includes(toFolder)) return `${fromFolder} may not import ${toFolder}`;
  if (fromFolder !== 'service' || toFolder !== 'service') return undefined;
  const here = roomOf(fromRoom);
  const there = roomOf(toRoom);
  for (const room of [here, there]) {
    if (!SERVICE_ORDER.includes(room)) return `service/${room} has no place in the layer table`;
  }
  if (SERVICE_ORDER.indexOf(there) <= SERVICE_ORDER.indexOf(here)) return undefined;
  return `inside service, ${there} stands right of ${here}`;
}

function roomOf(name = ''): string {
  return name.replace(/\.ts$/, '');
}

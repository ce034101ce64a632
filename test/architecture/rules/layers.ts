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
 * Inside `service`, by folder or file at its top: each imports only from itself and from those left of it. The bars are for
 * the reader. A new room gets its place here and in ARCHITECTURE.md.
 */
export const SERVICE_ORDER: readonly string[] = (
  'config limits clock transient-map ids metrics telemetry errors | store | access messages | nodes | engine | warm builds documents instances pages | http | ' +
  'sweeps app main cli'
)
  .split(/[ |]+/)
  .filter((room) => room !== '');

/** Imports point one way (the layer table of ARCHITECTURE.md). */
export const layers: Rule = (tree) =>
  [...tree.values()].flatMap((file) =>
    file.imports.flatMap(({ target }) => {
      const reason = target === undefined ? undefined : whyNot(file.path, target);
      return reason === undefined ? [] : [`${file.path} imports ${String(target)}: ${reason}`];
    }),
  );

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

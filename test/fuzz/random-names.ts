import type { HostileWords } from './hostile-words.ts';
import type { Seeded } from './seeded.ts';

/** Names that are unique in their scope, and often similar to another name of the model. */
export interface RandomNames {
  /** `[A-Za-z_][A-Za-z0-9_]*` */
  identifier(isFree: (name: string) => boolean): string;
  /** An alias of a member: any text of at most 200 characters. */
  alias(isFree: (name: string) => boolean): string;
  /** `[a-z0-9]+(-[a-z0-9]+)*` */
  slug(): string;
}

/** Words that languages and their generators prepend or append to names. */
const prefixes = [
  'get',
  'set',
  'has',
  'is',
  'with',
  'clear',
  'add',
  'put',
  'new',
  'New',
  'With',
  'start',
  'try',
  'as',
  'I',
  '_',
  '__',
];
const suffixes = [
  ...[
    'Builder',
    'Async',
    'Input',
    'Output',
    'Options',
    'Client',
    'Error',
    'Exception',
    'Request',
    'Response',
    'Frame',
    'Frames',
  ],
  ...[
    'Start',
    'Execution',
    'Case',
    'Kind',
    'Value',
    'Values',
    'List',
    'Map',
    'Iter',
    'Json',
    'Schema',
    'Type',
    'Codec',
    'Unknown',
  ],
  ...[
    'Unrecognized',
    'Count',
    'OrDefault',
    'OrThrow',
    'Call',
    'Flow',
    'Warm',
    's',
    '_',
    '__',
    '1',
    '2',
    '2_2',
    '_2',
    'Entry',
    'Raw',
  ],
];

export function randomNames(random: Seeded, words: HostileWords): RandomNames {
  /** All names so far, of all scopes. */
  const given: string[] = [];

  const near = (name: string): string => {
    const [prefix, suffix] = [random.pick(prefixes), random.pick(suffixes)];
    const capital = name.charAt(0).toUpperCase() + name.slice(1);
    return random.pick([
      name,
      name.toLowerCase(),
      name.toUpperCase(),
      capital,
      name.charAt(0).toLowerCase() + name.slice(1),
      name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase(),
      name.replace(/_+(\w?)/g, (_, letter: string) => letter.toUpperCase()),
      `${prefix}${capital}`,
      `${prefix}_${name}`,
      `${name}${suffix}`,
      `${name}_${suffix.toLowerCase()}`,
      `${name}${random.below(4)}`,
      `${name}_${random.below(4)}`,
      name.replaceAll('_', ''),
      swapCase(name),
    ]);
  };

  const nearText = (name: string): string =>
    random.pick([
      near(name),
      name.normalize('NFC'),
      name.normalize('NFD'),
      name.normalize('NFKC'),
      name.replace(/[_ ]/g, '-'),
      name.replace(/[-_]/g, ' '),
      `${name} ${random.pick(words.texts)}`,
      `${name.slice(0, 1)}\u200d${name.slice(1)}`,
      `${name}\u0301`,
      `\u202e${name}`,
      `${name}☕`,
      `${name}.`,
    ]);

  const fresh = (draw: () => string, isFree: (name: string) => boolean): string => {
    for (;;) {
      const name = draw();
      if (!isFree(name)) continue;
      given.push(name);
      return name;
    }
  };

  const drawIdentifier = (): string => {
    const base =
      given.length > 0 && random.chance(0.5) ? near(random.pick(given)) : random.pick(words.identifiers);
    const isLong = random.chance(0.02);
    const drawn = isLong ? `${base}_${random.pick(words.identifiers)}_`.repeat(6) : base;
    const name = drawn.replace(/[^A-Za-z0-9_]/g, '_').slice(0, isLong ? 200 : 60);
    return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
  };

  return {
    identifier: (isFree) => fresh(drawIdentifier, isFree),
    alias: (isFree) =>
      fresh(
        () => {
          const base =
            given.length > 0 && random.chance(0.5) ? nearText(random.pick(given)) : random.pick(words.texts);
          return base.slice(0, 200).toWellFormed();
        },
        (name) => name.trim() !== '' && isFree(name),
      ),
    slug: () => {
      const parts = Array.from({ length: 1 + random.below(3) }, () => random.pick(words.identifiers));
      const apart = random.chance(0.5)
        ? parts.map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1-$2'))
        : parts;
      const slug = apart
        .join('-')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, 60)
        .replace(/^-+|-+$/g, '');
      return slug === '' ? random.pick(['x', '1', '3d', '0-0']) : slug;
    },
  };
}

function swapCase(name: string): string {
  return name.replace(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

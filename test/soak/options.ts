import { parseArgs } from 'node:util';
import { type HarmKind, harmKinds } from './history.ts';

/** Options of a soak. */
export interface SoakOptions {
  seconds: number;
  database: 'sqlite' | 'postgres';
  replicas: number;
  seed: number;
  harms: readonly HarmKind[];
}

/** Faults that apply to SQLite, which has no server and no connection to one. */
const onSqlite: readonly HarmKind[] = ['kill', 'restart', 'freeze', 'container'];

/**
 * Reads `[--minutes 10] [--database sqlite|postgres] [--replicas 2] [--seed N] [--harm kill,freeze | none]`.
 *
 * @throws Error with a message for the user
 */
export function readOptions(args: readonly string[]): SoakOptions {
  const { values: flags } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      database: { type: 'string', default: 'postgres' },
      replicas: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      harm: { type: 'string' },
    },
  });
  const { database } = flags;
  if (database !== 'sqlite' && database !== 'postgres')
    throw new Error(`--database takes sqlite or postgres, not "${database}"`);
  const minutes = Number(flags.minutes);
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
  const replicas = whole('replicas', flags.replicas ?? (database === 'sqlite' ? '1' : '2'));
  if (database === 'sqlite' && replicas !== 1) throw new Error('SQLite serves one replica');
  return {
    seconds: minutes * 60,
    database,
    replicas,
    seed: whole('seed', flags.seed),
    harms: harmsIn(flags.harm, database),
  };
}

function harmsIn(text: string | undefined, database: SoakOptions['database']): HarmKind[] {
  const possible = database === 'postgres' ? harmKinds : onSqlite;
  if (text === undefined) return [...possible];
  if (text === 'none') return [];
  return text.split(',').map((name) => {
    const kind = possible.find((each) => each === name);
    if (!kind) throw new Error(`--harm takes none, or a list of ${possible.join(', ')}, not "${name}"`);
    return kind;
  });
}

function whole(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${flag} must be a whole number above 0`);
  return Number(text);
}

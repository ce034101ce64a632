import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** An installed Python. */
export interface Python {
  /** Minor version: `3.12`. */
  version: string;
  program: string;
}

const probe = `
import sys, venv, ensurepip
assert sys.version_info >= (3, 10)
print("%d.%d" % sys.version_info[:2])
`;

/** Returns every Python from 3.10 on, on the PATH or installed by pyenv, one per minor version, oldest first. */
export function installedPythons(): Python[] {
  const byVersion = new Map<string, Python>();
  for (const program of candidates()) {
    const { error, status, stdout } = spawnSync(program, ['-c', probe], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    if (error !== undefined || status !== 0) continue;
    const version = stdout.trim();
    if (!byVersion.has(version)) byVersion.set(version, { version, program });
  }
  return [...byVersion.values()].sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

function candidates(): string[] {
  const versions = path.join(process.env.PYENV_ROOT ?? path.join(homedir(), '.pyenv'), 'versions');
  const kept = namesIn(versions)
    .filter((name) => /^3\.\d{2}/.test(name))
    .map((name) => path.join(versions, name, 'bin', 'python3'));
  const onPath = (process.env.PATH ?? '').split(path.delimiter).flatMap((folder) =>
    namesIn(folder)
      .filter((name) => /^python3\.\d+$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  return ['python3', ...kept, ...onPath];
}

/** Returns the names of the entries of a folder; empty if it does not exist. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

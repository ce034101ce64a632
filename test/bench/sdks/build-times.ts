import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { lockFile } from '../../support/cargo.ts';
import { dotnetEnv } from '../../support/dotnet.ts';
import { missingToolchain, type Toolchain } from '../../support/toolchains.ts';
import { type Command, runProgram } from '../peers/run-program.ts';
import { median } from '../statistics.ts';
import { withSdk } from './measure-sdks.ts';

/** The first build of an archive, medians in milliseconds. */
export interface BuildTimes {
  language: string;
  command: string;
  ms: number;
  /** Processor time of the compiler and its child processes; on Linux only, elsewhere NaN. */
  cpuMs: number;
}

interface FirstBuild {
  language: string;
  toolchain: Toolchain;
  /** The command that a user runs in the folder of the archive. */
  command: string;
  /** Fills the caches that a user's projects share, such as that of a registry. */
  prepare: (archive: string) => Promise<void>;
  build: (archive: string) => Command;
}

/** Time limit of a compiler with all dependencies on a busy machine. */
const mostMs = 900_000;

const firstBuilds: readonly FirstBuild[] = [
  {
    language: 'csharp',
    toolchain: 'dotnet',
    command: 'dotnet build src',
    // It has no dependencies outside .NET.
    prepare: () => Promise.resolve(),
    build: (archive) => ({
      file: 'dotnet',
      args: ['build', path.join(archive, 'src')],
      env: dotnetEnv,
      mostMs,
    }),
  },
  {
    language: 'rust',
    toolchain: 'rust',
    command: 'cargo build',
    prepare: async (archive) => {
      const manifest = path.join(archive, 'Cargo.toml');
      // Uses the dependency versions of the suites, so that a measurement can be repeated.
      await copyFile(lockFile, path.join(archive, 'Cargo.lock'));
      runProgram({ file: 'cargo', args: ['fetch', '--manifest-path', manifest], mostMs });
    },
    build: (archive) => ({
      file: 'cargo',
      args: ['build', '--manifest-path', path.join(archive, 'Cargo.toml')],
      env: { CARGO_TARGET_DIR: path.join(archive, 'target') },
      mostMs,
    }),
  },
];

/**
 * Measures the first build of unpacked archives: no part of the project has been compiled before, but its dependencies
 * have been downloaded. Skips languages whose toolchain is absent.
 */
export async function measureFirstBuilds(
  rounds: number,
  languages: readonly string[],
  say: (text: string) => void,
): Promise<BuildTimes[]> {
  const rows: BuildTimes[] = [];
  for (const { language, toolchain, command, prepare, build } of firstBuilds) {
    if (!languages.includes(language)) continue;
    const missing = missingToolchain(toolchain);
    if (missing !== undefined) {
      say(`first builds: ${language} left out, ${missing}`);
      continue;
    }
    say(`first builds: ${language}`);
    const runs: { ms: number; cpuMs: number }[] = [];
    for (let round = 0; round < rounds; round++)
      runs.push(
        await withSdk(language, async (archive) => {
          await prepare(archive);
          return runProgram(build(archive));
        }),
      );
    rows.push({
      language,
      command,
      ms: median(runs.map(({ ms }) => ms)),
      cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
    });
  }
  return rows;
}

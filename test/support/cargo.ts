import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Versions of all dependencies, which the suites share. */
export const lockFile = path.resolve(import.meta.dirname, '../templates/rust/Cargo.lock');

/** Time to allow for a first build of the dependencies on a cold and busy machine. */
export const CARGO_TIMEOUT_MS = 900_000;

/**
 * Creates an empty folder for a crate or a workspace, with the lock file that all suites share. Its path is fixed, so
 * that cargo reuses earlier builds; each suite has its own name.
 */
export async function cargoFolder(name: string): Promise<string> {
  const folder = path.join(projectRoot, '.cache', 'rust', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await copyFile(lockFile, path.join(folder, 'Cargo.lock'));
  return folder;
}

/** Writes files beneath a folder. */
export async function writeFiles(
  folder: string,
  files: Iterable<{ path: string; content: string | Uint8Array }>,
): Promise<void> {
  for (const file of files) {
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.content);
  }
}

/** Exit code and output of a program. */
export interface CargoRun {
  code: number;
  output: string;
}

/** Runs cargo, or another program of the toolchain. A failure is a result, not an exception. */
export function runCargo(
  args: readonly string[],
  { cwd, env = {}, program = 'cargo' }: { cwd: string; env?: NodeJS.ProcessEnv; program?: string },
): Promise<CargoRun> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd, env: { ...cargoEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, output: `${stdout}${stderr}` });
      },
    );
  });
}

/** Returns the environment of cargo: one target folder for all suites, without debug info and incremental files. */
export function cargoEnv(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CARGO_TARGET_DIR: path.join(projectRoot, '.cache', 'rust', 'target'),
    CARGO_PROFILE_DEV_DEBUG: '0',
    CARGO_INCREMENTAL: '0',
    CARGO_TERM_COLOR: 'never',
    CARGO_NET_RETRY: '5',
  };
}

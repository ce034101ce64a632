import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Output and exit code of a Go program. */
interface ToolRun {
  code: number;
  output: string;
}

const cacheFolder = path.resolve(import.meta.dirname, '../../.cache/go');
const staticcheck = 'honnef.co/go/tools/cmd/staticcheck@v0.8.2';

/**
 * The installed toolchain, whatever go.mod requires, and only modules that are present. Without paths in compiled code,
 * the build cache recognizes an archive in another temporary folder.
 */
export const goEnv: NodeJS.ProcessEnv = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -trimpath' };

/** Compiling the linter on a new machine takes a minute, on a busy one several. */
export const STATICCHECK_TIMEOUT_MS = 600_000;

/** Runs a program in a folder; a failure is its result, not an exception. Go's own build cache serves all runs. */
export function runGo(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ToolRun> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...goEnv, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const failed = error !== null && typeof error.code === 'string' ? error.message : '';
        const code = error === null ? 0 : Number(error.code ?? 1) || 1;
        resolve({ code, output: `${stdout}${stderr}${failed}` });
      },
    );
  });
}

/**
 * Downloads the modules that a module requires, unless Go's own cache contains them. Later commands then print nothing
 * about downloads, and need no network.
 */
export async function downloadGoModules(folder: string): Promise<void> {
  const { code, output } = await runGo('go', ['mod', 'download'], folder, { GOWORK: 'off' });
  if (code !== 0) throw new Error(`the modules of ${folder} cannot be downloaded: ${output}`);
}

let installed: Promise<string> | undefined;

/** Installs the linter once into a cache of the checkout, and returns its path. */
export function staticcheckProgram(): Promise<string> {
  installed ??= installStaticcheck();
  return installed;
}

async function installStaticcheck(): Promise<string> {
  const folder = path.join(cacheFolder, staticcheck.slice(staticcheck.lastIndexOf('@') + 1));
  mkdirSync(folder, { recursive: true });
  // The go command does nothing if the program is installed already, and its locks serialize concurrent runs.
  const { code, output } = await runGo('go', ['install', staticcheck], folder, { GOBIN: folder });
  if (code !== 0) throw new Error(`staticcheck cannot be installed: ${output}`);
  return path.join(folder, 'staticcheck');
}

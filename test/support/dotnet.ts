import { spawn } from 'node:child_process';
import { compilerServer } from './compiler-server.ts';

interface DotnetRun {
  code: number;
  /** Its stdout and stderr. */
  output: string;
}

/** A first build restores packages, and a loaded machine takes three times as long. */
export const DOTNET_TIMEOUT_MS = 600_000;

/**
 * Settings of every run: no greeting, no lingering build nodes, and a shared compiler server. A compiler that starts
 * for each build takes twice the processor time. Profile-guided optimization does not pay off in processes that run for
 * seconds. Warnings in an archive are errors in these tests, but never for users.
 */
export const dotnetEnv: Record<string, string> = {
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  DOTNET_NOLOGO: '1',
  DOTNET_TieredPGO: '0',
  MSBUILDDISABLENODEREUSE: '1',
  SvcStrictBuild: 'true',
  UseSharedCompilation: 'true',
  SharedCompilationId: compilerServer,
};

/** Runs a command of the .NET SDK in a folder. */
export function runDotnet(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<DotnetRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('dotnet', args, {
      cwd,
      env: { ...process.env, ...dotnetEnv, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output: output.join('') });
    });
  });
}

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProtoCompileError } from '../../errors/proto-compile-error.ts';
import { bufBinary } from './buf-binary.ts';
import { nameMissingFile } from './name-missing-file.ts';
import { parseBufErrors } from './parse-buf-errors.ts';

const maxOutputBytes = 16_777_216;
const maxErrorBytes = 1_048_576;

/** The resources that one buf run may use. */
export interface CompileBounds {
  timeoutMs: number;
  /** Processor time. */
  cpuSeconds: number;
  megabytes: number;
  /** Kills buf. */
  signal?: AbortSignal | undefined;
}

/**
 * Compiles sources with `buf build` in a temporary folder, which is always removed. The paths must have passed `checkSourcePaths`.
 * The buf.yaml has no dependencies, so buf does not use the network.
 *
 * @throws ProtoCompileError with the diagnostics of buf, or when compiling exceeds a bound; the reason of the signal when it aborts
 */
export async function runBuf(
  sources: Readonly<Record<string, string>>,
  bounds: CompileBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-protos-'));
  try {
    await writeFile(join(folder, 'buf.yaml'), 'version: v2\n');
    for (const [path, source] of Object.entries(sources)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, source, { mode: 0o600 });
    }
    return await buildImage(folder, sources, bounds);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const buildArguments = 'build . --as-file-descriptor-set --output - --error-format json --timeout 0'.split(
  ' ',
);

function buildImage(
  folder: string,
  sources: Readonly<Record<string, string>>,
  bounds: CompileBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  const { timeoutMs, megabytes, signal } = bounds;
  const [program, leading] = boundedProgram(bounds);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    execFile(
      program,
      [...leading, ...buildArguments],
      {
        cwd: folder,
        // Isolates buf from the environment: no tokens, no proxy, no cache outside the folder. It gets one processor, and
        // collects garbage early to stay within its memory.
        env: { HOME: folder, PATH: '', GOMAXPROCS: '1', GOMEMLIMIT: `${Math.floor(megabytes * 0.75)}MiB` },
        encoding: 'buffer',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxOutputBytes,
        windowsHide: true,
        ...(signal && { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(new Uint8Array(stdout));
        else if (signal?.aborted === true) reject(signal.reason as Error);
        else
          reject(
            explainFailure(error, { stderr: stderr.subarray(0, maxErrorBytes).toString(), sources }, bounds),
          );
      },
    );
  });
}

/**
 * A shell limits the memory (private writable pages) and the processor time, and then executes buf in its place. macOS does not
 * enforce the bound on memory, and Windows has no shell.
 */
function boundedProgram({ cpuSeconds, megabytes }: CompileBounds): [program: string, leading: string[]] {
  if (process.platform === 'win32') return [bufBinary(), []];
  const script = `ulimit -d ${megabytes * 1024} 2>/dev/null; ulimit -t ${cpuSeconds}; exec "$0" "$@"`;
  return ['/bin/sh', ['-c', script, bufBinary()]];
}

interface ExecFailure extends Error {
  killed?: boolean;
  code?: unknown;
  signal?: NodeJS.Signals | null;
}

function explainFailure(
  error: ExecFailure,
  { stderr, sources }: { stderr: string; sources: Readonly<Record<string, string>> },
  bounds: CompileBounds,
): Error {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return wholeSet(`the compiled sources are larger than ${maxOutputBytes} bytes: split the package`);
  }
  if (error.killed === true) return wholeSet(`compiling took longer than ${bounds.timeoutMs / 1000} s`);
  if (error.signal === 'SIGXCPU' || error.signal === 'SIGKILL') {
    return wholeSet(`compiling takes more than ${bounds.cpuSeconds} s of processor time: split the package`);
  }
  // The error report of Go's runtime.
  if (/^(?:fatal error: )?runtime: .*memory|^fatal error: .*memory/m.test(stderr)) {
    return wholeSet(`compiling needs more than ${bounds.megabytes} MiB of memory: split the package`);
  }
  const diagnostics = parseBufErrors(stderr).map((diagnostic) => nameMissingFile(diagnostic, sources));
  return diagnostics.length > 0
    ? new ProtoCompileError(diagnostics)
    : new Error('the proto compiler failed without a diagnostic', { cause: error });
}

function wholeSet(message: string): ProtoCompileError {
  return new ProtoCompileError([{ file: '', line: 0, column: 0, message }]);
}

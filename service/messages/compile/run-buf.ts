import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { bufBinary } from './buf-binary.ts';
import { ProtoCompileError } from '../../errors/proto-compile-error.ts';
import type { ProtoDiagnostic } from '../../errors/proto-compile-error.ts';

const maxOutputBytes = 67_108_864;

/** A line of `--error-format=json`. */
const bufLine = z.object({
  path: z.string().default(''),
  start_line: z.number().default(0),
  start_column: z.number().default(0),
  message: z.string(),
});

/**
 * Compiles sources with `buf build` in a temporary folder, which is always removed. The paths must have passed `checkSourcePaths`.
 * The buf.yaml has no dependencies, so buf does not use the network.
 *
 * @throws ProtoCompileError with every diagnostic of buf, or when compiling takes longer than `timeoutMs`
 */
export async function runBuf(
  sources: ReadonlyMap<string, string>,
  timeoutMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-protos-'));
  try {
    await writeFile(join(folder, 'buf.yaml'), 'version: v2\n');
    for (const [path, source] of sources) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, source, { mode: 0o600 });
    }
    return await buildImage(folder, timeoutMs);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function buildImage(folder: string, timeoutMs: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    execFile(
      bufBinary(),
      ['build', '.', '--as-file-descriptor-set', '--output', '-', '--error-format', 'json', '--timeout', '0'],
      {
        cwd: folder,
        // Isolates buf from the environment: no tokens, no proxy, no cache outside the folder.
        env: { HOME: folder, PATH: '' },
        encoding: 'buffer',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxOutputBytes,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve(new Uint8Array(stdout));
          return;
        }
        reject(explainFailure(error, stderr.toString(), timeoutMs));
      },
    );
  });
}

function explainFailure(
  error: Error & { killed?: boolean; code?: unknown },
  stderr: string,
  timeoutMs: number,
): Error {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return wholeSet(`the compiled sources are larger than ${maxOutputBytes} bytes`);
  }
  if (error.killed === true) return wholeSet(`compiling took longer than ${timeoutMs / 1000} s`);
  const diagnostics = stderr.split('\n').flatMap(parseLine);
  return diagnostics.length > 0
    ? new ProtoCompileError(diagnostics)
    : new Error('the proto compiler failed without a diagnostic', { cause: error });
}

function parseLine(line: string): ProtoDiagnostic[] {
  if (line.trim() === '') return [];
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return [{ file: '', line: 0, column: 0, message: line.trim() }];
  }
  const parsed = bufLine.safeParse(json);
  if (!parsed.success) return [{ file: '', line: 0, column: 0, message: line.trim() }];
  const { path, start_line, start_column, message } = parsed.data;
  return [{ file: path, line: start_line, column: start_column, message }];
}

function wholeSet(message: string): ProtoCompileError {
  return new ProtoCompileError([{ file: '', line: 0, column: 0, message }]);
}

import { z } from 'zod';
import type { ProtoDiagnostic } from '../../errors/proto-compile-error.ts';

/** A line of `--error-format=json`. */
const bufLine = z.object({
  path: z.string().default(''),
  start_line: z.number().default(0),
  start_column: z.number().default(0),
  message: z.string(),
});

/** Reads what buf prints: one problem per line. */
export function parseBufErrors(output: string): ProtoDiagnostic[] {
  return output.split('\n').flatMap(parseLine);
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

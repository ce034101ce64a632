import type { Readable, Writable } from 'node:stream';

/** The environment and streams of a command. `main.ts` passes the process. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** Read only by commands whose help says so. */
  stdin: Readable & { isTTY?: boolean };
  /** Receives only the result, so that it can be piped. */
  stdout: Writable & { isTTY?: boolean };
  /** Receives everything else: notes, warnings, progress, errors. */
  stderr: Writable & { isTTY?: boolean; columns?: number };
}

/** A failure that the user can fix. The message says how. Exit code 1, no stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** An invalid command line. Exit code 2, like commander's own errors. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints a result: `text`, or with `--json` the value as one JSON document. */
export function printResult(
  terminal: Terminal,
  options: { json?: boolean | undefined },
  value: unknown,
  text: string,
): void {
  terminal.stdout.write(options.json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/** Prints a line to stderr. */
export function note(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`);
}

/** Prints a warning of the service to stderr. It may quote a container, so control characters are escaped. */
export function noteWarning(terminal: Terminal, text: string): void {
  note(terminal, `warning: ${escaped(text)}`);
}

/**
 * Formats rows as aligned columns under headings. A `null` cell is printed as `-`. Control characters are escaped, so that a
 * stored name cannot control the terminal.
 */
export function table(headings: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map((cell) => escaped(cell ?? '-')))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats a record as `name  value` lines. */
export function recordText(fields: Readonly<Record<string, string | null>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${escaped(value ?? '-')}`)
    .join('\n');
}

/** Escapes control characters, so that stored text cannot control the terminal. */
export function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

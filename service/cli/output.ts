import type { Readable, Writable } from 'node:stream';

/** What a command talks to: tests and `main.ts` give the process's own. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** Read only by commands whose help says so. */
  stdin: Readable;
  /** Carries the result alone, so that it can be piped. */
  stdout: Writable;
  /** Carries everything else: notes, warnings, progress, errors. */
  stderr: Writable & { isTTY?: boolean; columns?: number };
}

/** A failure whose message is for the person at the terminal and says what to do: exit code 1, no stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** A command line that means nothing: exit code 2, like commander's own complaints. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints a result: `text` for people, or with `--json` all of `value` as one JSON document. */
export function printResult(
  terminal: Terminal,
  options: { json?: boolean | undefined },
  value: unknown,
  text: string,
): void {
  terminal.stdout.write(options.json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/** Says something that is not the result. */
export function note(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`);
}

/**
 * Rows as aligned columns under their headings. An absent cell prints as `-`; control characters are made visible, so that a
 * stored name can't drive the terminal.
 */
export function table(headings: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map((cell) => visible(cell ?? '-')))];
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

/** One record as `name  value` lines. */
export function recordText(fields: Readonly<Record<string, string | null>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${visible(value ?? '-')}`)
    .join('\n');
}

function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

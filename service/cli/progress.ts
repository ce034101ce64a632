import type { Terminal } from './output.ts';

/** Shows the progress of a long command on stderr. */
export interface Progress {
  /** Starts the next step. `note` describes it, for example `building python`. */
  step(note: string): void;
  /** Prints a line above the bar. */
  say(text: string): void;
  /** Ends the display with a last line. */
  finish(text: string): void;
}

const barWidth = 20;

/**
 * Shows the progress over `total` steps. A terminal gets one line that is redrawn. A log or a pipe gets one line for each
 * step.
 */
export function createProgress(stderr: Terminal['stderr'], total: number): Progress {
  let begun = 0;
  let current = '';
  const interactive = stderr.isTTY === true;
  const write = (text: string): void => void stderr.write(text);

  const draw = (): void => {
    const done = Math.min(begun - 1, total);
    const filled = total === 0 ? barWidth : Math.round((done / total) * barWidth);
    const line = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${done}/${total} ${current}`;
    write(`\r\u001b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
  };
  const clear = (): void => {
    if (interactive) write('\r\u001b[2K');
  };

  return {
    step(note) {
      begun += 1;
      current = note;
      if (interactive) draw();
      else write(`[${begun}/${total}] ${note}\n`);
    },
    say(text) {
      clear();
      write(`${text}\n`);
      if (interactive && begun > 0) draw();
    },
    finish(text) {
      clear();
      write(`${text}\n`);
    },
  };
}

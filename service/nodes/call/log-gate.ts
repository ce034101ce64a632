import { limits } from '../../../specs/limits.ts';

/** A line of a node's log. */
interface LogLine {
  level: string;
  message: string;
}

/** Limits the log of one call, to protect the journal and the memory of the process. */
export interface LogGate {
  /**
   * Returns the lines to record for a line of the node: the line itself, or none. The first dropped line is replaced by a remark that
   * lines are being dropped; the first line after the gap is preceded by a remark with the number of dropped lines.
   */
  pass: (line: LogLine) => readonly LogLine[];
}

const { burstBytes, bytesPerSecond, lineBytes } = limits.logRate;

/** Tokens at which a closed gate reopens. A high value makes gaps, and their remarks, rare. */
const reopensAt = burstBytes / 4;

/** @param now milliseconds of a monotonic clock */
export function createLogGate(now: () => number = () => performance.now()): LogGate {
  let tokens: number = burstBytes;
  let filledAt = now();
  let dropped = 0;
  return {
    pass: (line) => {
      const at = now();
      tokens = Math.min(burstBytes, tokens + ((at - filledAt) / 1_000) * bytesPerSecond);
      filledAt = at;
      // Its JSON without the quotes: a control character takes six bytes.
      const cost = Buffer.byteLength(JSON.stringify(line.message)) - 2 + lineBytes;
      if (tokens < (dropped > 0 ? reopensAt : cost)) {
        dropped += 1;
        return dropped === 1 ? [{ level: 'warn', message: beginning }] : [];
      }
      tokens -= cost;
      if (dropped === 0) return [line];
      const end = { level: 'warn', message: `${dropped} log lines were dropped` };
      dropped = 0;
      return [end, line];
    },
  };
}

const beginning =
  `log lines are dropped from here on: a call may write ${burstBytes / 1_048_576} MiB at once ` +
  `and ${bytesPerSecond / 1_048_576} MiB a second, each line counted with ${lineBytes} bytes more`;

import { limits } from '../../../specs/limits.ts';

/** A line of a node's log. */
export interface LogLine {
  level: string;
  message: string;
}

/** Lets the log of one call through, up to what a journal and the memory of a process can bear. */
export interface LogGate {
  /**
   * What is to be noted when the node writes a line: the line, nothing, or a remark that lines are dropped from here on, and one
   * that tells how many were.
   */
  pass: (line: LogLine) => readonly LogLine[];
}

const { burstBytes, bytesPerSecond, lineBytes } = limits.logRate;

/** Closed, the gate opens again at so many tokens: a gap begins and ends rarely, and so remarks are few. */
const reopensAt = burstBytes / 4;

/** @param now milliseconds that only go forward */
export function createLogGate(now: () => number = () => performance.now()): LogGate {
  let tokens: number = burstBytes;
  let filledAt = now();
  let dropped = 0;
  return {
    pass: (line) => {
      const at = now();
      tokens = Math.min(burstBytes, tokens + ((at - filledAt) / 1_000) * bytesPerSecond);
      filledAt = at;
      const cost = Buffer.byteLength(line.message) + lineBytes;
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

import { limits } from '../../../specs/limits.ts';
import { createTokenBucket, type TokenBucket } from '../token-bucket.ts';

/** A line of a node's log. */
interface LogLine {
  level: string;
  message: string;
}

/** Limits the log of one call, to protect the journal and the memory of the process. */
export interface LogGate {
  /**
   * Returns the lines to record for a line of the node: the line itself, or none. The first dropped line is
   * replaced by a remark that lines are being dropped. The first line after the gap is preceded by a remark
   * with the number of dropped lines.
   */
  pass: (line: LogLine) => readonly LogLine[];
}

const { burstBytes, bytesPerSecond, lineBytes } = limits.logRate;
const ofTenant = limits.tenantLogRate;

/** Tokens at which a closed gate reopens. A high value makes gaps, and their remarks, rare. */
const reopensAt = burstBytes / 4;

/**
 * @param shared the tokens of the tenant, which each line also draws on
 * @param now milliseconds of a monotonic clock
 */
export function createLogGate(shared: TokenBucket, now: () => number = () => performance.now()): LogGate {
  const own = createTokenBucket({ burst: burstBytes, perSecond: bytesPerSecond }, now);
  let dropped = 0;
  return {
    pass: (line) => {
      // Counts the JSON of the message without its quotes: a control character takes six bytes.
      const cost = Buffer.byteLength(JSON.stringify(line.message)) - 2 + lineBytes;
      const needed = dropped > 0 ? reopensAt : cost;
      if (!own.has(needed) || !shared.has(needed)) {
        dropped += 1;
        return dropped === 1 ? [{ level: 'warn', message: beginning }] : [];
      }
      own.take(cost);
      shared.take(cost);
      if (dropped === 0) return [line];
      const end = { level: 'warn', message: `${dropped} log lines were dropped` };
      dropped = 0;
      return [end, line];
    },
  };
}

const inMiB = (bytes: number): string => `${bytes / 1_048_576} MiB`;

const beginning =
  `log lines are dropped from here on: a call may write ${inMiB(burstBytes)} at once and ` +
  `${inMiB(bytesPerSecond)} a second, and all calls of a tenant together ${inMiB(ofTenant.burstBytes)} at once and ` +
  `${inMiB(ofTenant.bytesPerSecond)} a second, each line counted with ${lineBytes} bytes more`;

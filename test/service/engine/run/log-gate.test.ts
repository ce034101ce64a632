import assert from 'node:assert/strict';
import { createLogGate, type LogGate } from '../../../../service/engine/run/log-gate.ts';
import { limits } from '../../../../specs/limits.ts';

describe('the log of a call', () => {
  const { burstBytes, bytesPerSecond, lineBytes } = limits.logRate;
  // Two bytes each in UTF-8.
  const text = 'ж'.repeat((65_536 - lineBytes) / 2);
  const line = { level: 'info', message: text };
  const atOnce = burstBytes / 65_536;

  let now: number;
  let gate: LogGate;
  beforeEach(() => {
    now = 5;
    gate = createLogGate(() => now);
  });

  const use = (count: number): void => {
    for (let index = 0; index < count; index += 1) assert.deepEqual(gate.pass(line), [line]);
  };

  it('goes through to 16 MiB at once, told in bytes, and not by one line more', () => {
    use(atOnce);
    const [remark, ...rest] = gate.pass({ level: 'info', message: '' });
    assert.match(
      remark?.message ?? '',
      /^log lines are dropped from here on: .*16 MiB at once.* 1 MiB a second/,
    );
    assert.equal(remark?.level, 'warn');
    assert.deepEqual(rest, []);
    assert.deepEqual(gate.pass(line), []);
  });

  it('goes through for ever at 1 MiB a second', () => {
    use(atOnce);
    for (let second = 0; second < 100; second += 1) {
      now += 1_000;
      use(bytesPerSecond / 65_536);
    }
    assert.equal(gate.pass(line)[0]?.level, 'warn');
  });

  it('counts lines of no text too', () => {
    const empty = { level: 'info', message: '' };
    for (let index = 0; index < burstBytes / lineBytes; index += 1) assert.equal(gate.pass(empty).length, 1);
    assert.equal(gate.pass(empty)[0]?.level, 'warn');
  });

  it('begins again after a while, with the number of lines that are missing', () => {
    use(atOnce);
    for (let index = 0; index < 1_000; index += 1) gate.pass(line);
    now += 3_999;
    assert.deepEqual(gate.pass(line), []);
    now += 1;
    assert.deepEqual(gate.pass(line), [{ level: 'warn', message: '1001 log lines were dropped' }, line]);
    use(63);
    assert.equal(gate.pass(line).length, 1);
  });
});

import assert from 'node:assert/strict';
import { createLogGate, type LogGate } from '../../../../service/nodes/call/log-gate.ts';
import { TenantLogTokens } from '../../../../service/nodes/call/log-tokens.ts';
import { limits } from '../../../../specs/limits.ts';

describe('the log gate', () => {
  const { burstBytes, bytesPerSecond, lineBytes } = limits.logRate;
  // Two bytes each in UTF-8.
  const text = 'ж'.repeat((65_536 - lineBytes) / 2);
  const line = { level: 'info', message: text };
  const atOnce = burstBytes / 65_536;

  let now: number;
  let tenants: TenantLogTokens;
  let gate: LogGate;
  beforeEach(() => {
    now = 5;
    tenants = new TenantLogTokens(() => now);
    gate = createLogGate(tenants.of('acme'), () => now);
  });

  const use = (count: number): void => {
    for (let index = 0; index < count; index += 1) assert.deepEqual(gate.pass(line), [line]);
  };

  it('passes a burst of 16 MiB, counted in bytes', () => {
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

  it('passes 1 MiB per second indefinitely', () => {
    use(atOnce);
    for (let second = 0; second < 100; second += 1) {
      now += 1_000;
      use(bytesPerSecond / 65_536);
    }
    assert.equal(gate.pass(line)[0]?.level, 'warn');
  });

  it('counts a minimum size for empty lines', () => {
    const empty = { level: 'info', message: '' };
    for (let index = 0; index < burstBytes / lineBytes; index += 1) assert.equal(gate.pass(empty).length, 1);
    assert.equal(gate.pass(empty)[0]?.level, 'warn');
  });

  it('counts control characters in their JSON encoding', () => {
    const message = '\u0001'.repeat(1_000);
    const passed = Math.floor(burstBytes / (6_000 + lineBytes));
    for (let index = 0; index < passed; index += 1)
      assert.equal(gate.pass({ level: 'info', message }).length, 1);
    assert.match(gate.pass({ level: 'info', message })[0]?.message ?? '', /^log lines are dropped/);
  });

  it('passes a burst of 64 MiB and then 4 MiB per second across all calls of a tenant', () => {
    const calls = Array.from({ length: 8 }, () => createLogGate(tenants.of('acme'), () => now));
    const pass = (count: number): number =>
      calls
        .flatMap((call) => Array.from({ length: count }, () => call.pass(line)))
        .filter(([kept]) => kept === line).length;
    assert.equal(pass(atOnce), limits.tenantLogRate.burstBytes / 65_536);
    now += 1_000;
    assert.equal(pass(atOnce), limits.tenantLogRate.bytesPerSecond / 65_536);
    assert.deepEqual(createLogGate(tenants.of('globex'), () => now).pass(line), [line]);
  });

  it('reopens with a report of the number of dropped lines', () => {
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

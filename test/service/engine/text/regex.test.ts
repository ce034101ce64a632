import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileRegex } from '../../../../service/engine/text/regex.ts';
import type { Regex } from '../../../../service/engine/text/regex.ts';
import { WorkExceeded, WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { threadMs } from '../../../../service/work/thread-time.ts';

const meter = new WorkMeter(Infinity);

function regex(pattern: string): Regex {
  const compiled = compileRegex(pattern, meter);
  assert.ok(compiled.ok, compiled.ok ? '' : compiled.detail);
  return compiled.value;
}

describe('a regular expression', () => {
  it('exposes its groups by number and name', () => {
    const { groupCount, groupNames } = regex('(?P<word>\\w+) (?<next>\\w+) (x)?');
    assert.deepEqual([groupCount, [...groupNames]], [3, ['word', 'next']]);
  });

  it('replaces every match, with non-participating groups as empty', () => {
    const replaced = regex('(a)|(b)').replaceAll('xaby', (group) => `[${group(1)}|${group(2)}]`, meter);
    assert.deepEqual(replaced, { ok: true, value: 'x[a|][|b]y' });
    assert.deepEqual(
      regex('a*').replaceAll('baac', () => '-', meter),
      { ok: true, value: '-b-c-' },
    );
  });

  it('treats characters outside the basic plane as one character', () => {
    assert.deepEqual(
      regex('.').replaceAll('a😀b', () => '-', meter),
      { ok: true, value: '---' },
    );
  });

  it('replaces literals like String.prototype.replaceAll', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('a', 'b', ' '),
        fc.string(),
        (text, from, to) => {
          assert.deepEqual(
            regex(from).replaceAll(text, () => to, meter),
            { ok: true, value: text.replaceAll(from, () => to) },
          );
        },
      ),
    );
  });

  it('fails with the error messages of Go', () => {
    const refusals: [pattern: string, detail: string][] = [
      ['(', 'error parsing regexp: missing closing ): `(`'],
      ['a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
      ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
      ['\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
    ];
    for (const [pattern, detail] of refusals)
      assert.deepEqual(compileRegex(pattern, meter), { ok: false, detail });
  });

  it('is rejected if it is too large, as written or after its repetitions are expanded', () => {
    assert.deepEqual(compileRegex('a'.repeat(1001), meter), {
      ok: false,
      detail: 'the pattern is longer than 1000 characters',
    });
    assert.equal(compileRegex('([a-z]{30}){30}', meter).ok, true);
    assert.equal(
      compileRegex('(\\pL{900})(\\pL{900})(\\pL{900})(\\pL{900})(\\pL{900})(\\pL{900})', meter).ok,
      false,
    );
  });
});

describe('compiling a regular expression', () => {
  it('rejects a pattern that would take too long to compile', () => {
    const folded = (classes: number) => compileRegex(`(?i)${'[^a]'.repeat(classes)}`, meter);
    assert.equal(folded(4).ok, true);
    assert.deepEqual(folded(5), {
      ok: false,
      detail: 'the pattern is too large after its repetitions are expanded',
    });
  });

  it('is charged to the work meter', () => {
    assert.throws(() => compileRegex(`(?i)${'[^a]'.repeat(4)}`, new WorkMeter(50_000)), WorkExceeded);
  });
});

describe('the running time of a regular expression', () => {
  it('is linear where backtracking would be exponential', () => {
    assert.deepEqual(regex('^(a+)+$').test(`${'a'.repeat(100_000)}b`, meter), { ok: true, value: false });
  });

  it('is limited by the work meter when finding all matches takes quadratic time', () => {
    const quadratic = regex('a.*z|a');
    const startedAt = threadMs();
    assert.throws(() => quadratic.replaceAll('a'.repeat(1_000_000), () => '', new WorkMeter()), WorkExceeded);
    assert.ok(threadMs() - startedAt < 1_000);
  });

  it('allows 200,000 characters for a pattern that matches every word', () => {
    const text = 'some ordinary words '.repeat(10_000);
    const replaced = regex('\\s+').replaceAll(text, () => ' ', new WorkMeter());
    assert.equal(replaced.ok && replaced.value.length, 200_000);
  });

  it('allows 1 MiB of text for a pattern that does not match', () => {
    const text = 'some ordinary words '.repeat(52_429);
    const replaced = regex('foo|bar').replaceAll(text, () => '', new WorkMeter());
    assert.equal(replaced.ok && replaced.value, text);
  });

  it('is limited by the maximum size of the result', () => {
    const replaced = regex('a').replaceAll('a'.repeat(100_000), () => 'b'.repeat(1_000), meter);
    assert.deepEqual(replaced, { ok: false, detail: 'the result is longer than 16777216 characters' });
  });
});

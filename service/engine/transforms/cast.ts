import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { floatOf, numberOf, parseNumber } from './numbers.ts';
import type { AnyNumber } from './numbers.ts';
import { renderText, textOfRun } from './render-text.ts';
import type { Transform, Work } from './transform.ts';
import { absent, isInt64, isUint64, text } from './value.ts';
import type { ScalarKind, Value } from './value.ts';

/** Kinds by their names in expressions. */
const kinds: ReadonlyMap<string, ScalarKind> = new Map<string, ScalarKind>([
  ['bool', 'bool'],
  ['bytes', 'bytes'],
  ['double', 'double'],
  ['float', 'float'],
  ['int', 'int64'],
  ['int32', 'int32'],
  ['int64', 'int64'],
  ['string', 'string'],
  ['uint', 'uint64'],
  ['uint32', 'uint32'],
  ['uint64', 'uint64'],
]);

/**
 * `count | cast("string")`. Fractions are truncated towards zero. Out-of-range numbers fail and never wrap. Booleans convert to and
 * from 1 and 0, and the strings `true` and `false`. Bytes convert to and from UTF-8 strings.
 */
export const cast: Transform = {
  name: 'cast',
  prepare(args, input) {
    const [target] = args;
    if (target === undefined || args.length > 1) return failed('cast requires 1 arg (target kind)');
    const kind = kinds.get(renderText(target));
    if (kind === undefined) return failed(`cast: unsupported target kind "${renderText(target)}"`);
    if (input?.kind === 'list' || input?.kind === 'map' || input?.kind === 'message') {
      return failed(cannotConvert(input.kind, kind));
    }
    return done({
      shape: { kind },
      apply: (value, work) => (value === undefined ? done(absent) : castTo(kind, value, work)),
    });
  },
};

/** Characters or bytes that are encoded or decoded per unit of work. */
const charactersPerUnit = 32;

function castTo(kind: ScalarKind, value: Value, work: Work): Outcome<Value> {
  const { meter } = work;
  if (value.kind === 'absent' || value.kind === kind) return done(value);
  switch (value.kind) {
    case 'list':
    case 'map':
    case 'message':
      return failed(cannotConvert(value.kind, kind));
    case 'bytes':
      if (kind !== 'string') return failed(cannotConvert('bytes', kind));
      meter.spend(value.value.length / charactersPerUnit);
      return decoded(value.value);
    default:
      break;
  }
  if (kind === 'string') {
    const rendered = textOfRun(value, work);
    return rendered.ok ? done(text(rendered.value)) : rendered;
  }
  if (value.kind === 'string') meter.spend(value.value.length / charactersPerUnit);
  if (kind === 'bytes') {
    if (value.kind !== 'string') return failed(cannotConvert(value.kind, kind));
    return done({ kind, value: new TextEncoder().encode(value.value) });
  }
  if (kind === 'bool' && value.kind === 'string') {
    if (value.value === 'true' || value.value === 'false')
      return done({ kind, value: value.value === 'true' });
    return failed(cannotConvert('string', kind));
  }
  const number = castableNumber(value);
  if (number === undefined) return failed(`cast: "${renderText(value)}" is not a number`);
  return kind === 'bool' ? done({ kind, value: Number(number) !== 0 }) : asNumber(kind, number);
}

function castableNumber(value: Value): AnyNumber | undefined {
  switch (value.kind) {
    case 'bool':
      return value.value ? 1n : 0n;
    case 'enum':
      return BigInt(value.value);
    case 'string':
      return parseNumber(value.value);
    default:
      return numberOf(value);
  }
}

function asNumber(kind: Exclude<ScalarKind, 'bool' | 'bytes' | 'string'>, number: AnyNumber): Outcome<Value> {
  if (kind === 'double') return done({ kind, value: Number(number) });
  if (kind === 'float') {
    const value = floatOf(number);
    return value === undefined ? failed(outOfRange(number, kind)) : done({ kind, value });
  }
  if (typeof number === 'number' && !Number.isFinite(number)) {
    return failed(Number.isNaN(number) ? 'cast: "NaN" is not a number' : outOfRange(number, kind));
  }
  const whole = typeof number === 'number' ? BigInt(Math.trunc(number)) : number;
  switch (kind) {
    case 'int32':
    case 'uint32': {
      const fits =
        kind === 'int32' ? BigInt.asIntN(32, whole) === whole : BigInt.asUintN(32, whole) === whole;
      return fits ? done({ kind, value: Number(whole) }) : failed(outOfRange(number, kind));
    }
    case 'int64':
      return isInt64(whole) ? done({ kind, value: whole }) : failed(outOfRange(number, kind));
    case 'uint64':
      return isUint64(whole) ? done({ kind, value: whole }) : failed(outOfRange(number, kind));
  }
}

function decoded(bytes: Uint8Array): Outcome<Value> {
  try {
    return done(text(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch {
    return failed(cannotConvert('bytes', 'string'));
  }
}

function cannotConvert(from: string, kind: ScalarKind): string {
  return `cast: cannot convert ${from} to ${kind}`;
}

function outOfRange(number: AnyNumber, kind: ScalarKind): string {
  return `cast: ${number} is out of the range of ${kind}`;
}

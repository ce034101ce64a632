import { ScalarType } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { scalarName } from '../../../specs/messages/describe-field-type.ts';
import { describeJson } from './describe-json.ts';

/**
 * Reports why JSON is not a value of a scalar type, by the rules of `fromJson`. Returns undefined for a valid value. A differential
 * test compares the two.
 */
export function scalarProblem(scalar: ScalarType, json: unknown): string | undefined {
  const got = `got ${describeJson(json)}`;
  switch (scalarName(scalar)) {
    case 'string':
      return typeof json === 'string' ? undefined : `expected a string, ${got}`;
    case 'bool':
      return typeof json === 'boolean' ? undefined : `expected true or false, ${got}`;
    case 'bytes':
      return isBase64(json) ? undefined : `expected base64 text, ${got}`;
    case 'double':
      return isFloat(json, Number) ? undefined : `expected a number (double), ${got}`;
    case 'float':
      return isFloat(json, Math.fround) ? undefined : `expected a number (float), ${got}`;
    case 'int32':
      return isInteger32(json, -0x80000000, 0x7fffffff) ? undefined : `${integer(32, 'signed')}, ${got}`;
    case 'uint32':
      return isInteger32(json, 0, 0xffffffff) ? undefined : `${integer(32, 'unsigned')}, ${got}`;
    case 'int64':
      return isInteger64(json, -(2n ** 63n), 2n ** 63n - 1n) ? undefined : `${integer(64, 'signed')}, ${got}`;
    case 'uint64':
      return isInteger64(json, 0n, 2n ** 64n - 1n) ? undefined : `${integer(64, 'unsigned')}, ${got}`;
  }
}

/** Parses a map key to its canonical form ("01" and "1" are the same key), or reports why it is invalid. */
export function mapKeyProblem(
  scalar: ScalarType,
  key: string,
): { key: string; problem?: never } | { key?: never; problem: string } {
  if (scalar === ScalarType.STRING) return { key };
  if (scalar === ScalarType.BOOL) {
    return key === 'true' || key === 'false'
      ? { key }
      : { problem: 'invalid map key: expected "true" or "false"' };
  }
  const problem = scalarProblem(scalar, key);
  if (problem !== undefined) return { problem: `invalid map key: ${problem}` };
  return { key: scalarName(scalar).endsWith('64') ? String(BigInt(key)) : String(Number(key) + 0) };
}

function integer(bits: 32 | 64, sign: 'signed' | 'unsigned'): string {
  return `expected ${sign === 'signed' ? 'a signed' : 'an unsigned'} ${bits}-bit integer`;
}

function isFloat(json: unknown, round: (number: number) => number): boolean {
  if (json === 'NaN' || json === 'Infinity' || json === '-Infinity') return true;
  const number = typeof json === 'string' ? plainNumber(json) : json;
  return typeof number === 'number' && Number.isFinite(round(number));
}

function isInteger32(json: unknown, min: number, max: number): boolean {
  const number = typeof json === 'string' ? plainNumber(json) : json;
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
}

function isInteger64(json: unknown, min: bigint, max: bigint): boolean {
  if (typeof json !== 'bigint' && typeof json !== 'number' && typeof json !== 'string') return false;
  if (json === '') return false;
  try {
    const value = BigInt(json);
    return value >= min && value <= max;
  } catch {
    return false;
  }
}

function plainNumber(text: string): number {
  return text === '' || text.trim() !== text ? NaN : Number(text);
}

function isBase64(json: unknown): boolean {
  if (typeof json !== 'string') return false;
  try {
    base64Decode(json);
    return true;
  } catch {
    return false;
  }
}

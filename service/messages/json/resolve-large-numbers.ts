import { ScalarType } from '@bufbuild/protobuf';
import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { rewriteScalars, isContainer, replaceEach } from './rewrite-scalars.ts';
import { LargeNumber } from '../../../specs/large-number.ts';

/**
 * Replaces every `LargeNumber` in parsed JSON with the value that its field needs: exact for 64-bit integers, rounded for all
 * others. Modifies `json` in place. JSON that does not match the type is left for `fromJson` to reject.
 */
export function resolveLargeNumbers(type: DescMessage, json: unknown, registry: Registry): unknown {
  return rewriteScalars(type, json, { registry, rewrite: resolve });
}

function resolve(scalar: ScalarType | undefined, json: unknown): unknown {
  if (json instanceof LargeNumber) {
    return scalar !== undefined && holds64Bits(scalar) ? json.exact() : json.rounded();
  }
  return isContainer(json) ? replaceEach(json, (value) => resolve(undefined, value)) : json;
}

function holds64Bits(scalar: ScalarType): boolean {
  switch (scalar) {
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return true;
    default:
      return false;
  }
}

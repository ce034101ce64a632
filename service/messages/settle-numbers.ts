import { ScalarType } from '@bufbuild/protobuf';
import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { changeScalars, isContainer, replaceEach } from './change-scalars.ts';
import { LargeNumber } from './large-number.ts';

/**
 * Gives every `LargeNumber` of parsed JSON the form that its field takes: exact for 64 bit integers, rounded for all others.
 * Changes `json` in place; what does not fit the type is left to `fromJson`.
 */
export function settleNumbers(type: DescMessage, json: unknown, registry: Registry): unknown {
  return changeScalars(type, json, { registry, change: settle });
}

function settle(scalar: ScalarType | undefined, json: unknown): unknown {
  if (json instanceof LargeNumber) {
    return scalar !== undefined && holds64Bits(scalar) ? json.exact() : json.rounded();
  }
  return isContainer(json) ? replaceEach(json, (value) => settle(undefined, value)) : json;
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

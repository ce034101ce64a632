import { base64Encode } from '@bufbuild/protobuf/wire';
import { toProtoJson } from '../../messages/json/to-proto-json.ts';
import { shortFloat } from '../../messages/json/short-float.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import type { Work } from './transform.ts';
import { valueWork } from './value-work.ts';
import type { Value } from './value.ts';

/**
 * Converts a value to text: numbers in decimal, enums by name, bytes as base64, messages as ProtoJSON, lists and maps as JSON of their
 * texts. Never fails. A value without a text form is empty.
 */
export function renderText(value: Value): string {
  switch (value.kind) {
    case 'absent':
      return '';
    case 'string':
      return value.value;
    case 'bytes':
      return base64Encode(value.value);
    case 'enum':
      return value.type.value[value.value]?.name ?? String(value.value);
    case 'float':
      return String(shortFloat(value.value));
    case 'list':
      return JSON.stringify(value.values.map(renderText));
    case 'map':
      return JSON.stringify(
        Object.fromEntries(value.entries.map(([key, one]) => [renderText(key), renderText(one)])),
      );
    case 'message':
      return messageText(value);
    default:
      return String(value.value);
  }
}

/** Like `renderText`, for values of runs, which may be large. */
export function renderMetered(value: Value, meter: WorkMeter): string {
  if (value.kind === 'string') return value.value;
  meter.spend(unitsOfRendering * valueWork(value, meter.left));
  return renderText(value);
}

/** Units of work to render a part of a value, per unit to read it. */
const unitsOfRendering = 4;

/** Returns the step of a text transform. Absent values pass through. */
export function onText(
  change: (text: string, meter: WorkMeter) => Outcome<string> | string,
): (value: Value | undefined, work: Work) => Outcome<Value> {
  return (value, { meter }) => {
    if (value === undefined || value.kind === 'absent') return done({ kind: 'absent' });
    const changed = change(renderMetered(value, meter), meter);
    if (typeof changed === 'string') return done({ kind: 'string', value: changed });
    return changed.ok ? done({ kind: 'string', value: changed.value }) : failed(changed.detail);
  };
}

function messageText({ value: { desc, message } }: Extract<Value, { kind: 'message' }>): string {
  try {
    return JSON.stringify(toProtoJson(desc, message));
  } catch {
    // An Any of an unknown type has no JSON form.
    return '';
  }
}

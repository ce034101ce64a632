import type { Registry } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { noTextForm } from '../../errors/edge-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { toProtoJson } from '../../messages/json/to-proto-json.ts';
import { shortFloat } from '../../messages/json/short-float.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import type { Work } from './transform.ts';
import { valueWork } from './value-work.ts';
import type { Value } from './value.ts';

/** Converts a value to text like `textOf`, but never fails: a value without a text form is empty. For arguments and error texts. */
export function renderText(value: Value): string {
  return orEmpty(textOf(value));
}

/**
 * Converts a value to text: numbers in decimal, enums by name, bytes as base64, messages as ProtoJSON, lists and maps as JSON of their
 * texts. Fails for a message without a JSON form: with an `Any` of an unknown type, or with a time out of range.
 *
 * @param registry resolves the content of an `Any`
 */
function textOf(value: Value, registry?: Registry): Outcome<string> {
  switch (value.kind) {
    case 'absent':
      return done('');
    case 'string':
      return done(value.value);
    case 'bytes':
      return done(base64Encode(value.value));
    case 'enum':
      return done(value.type.value[value.value]?.name ?? String(value.value));
    case 'float':
      return done(String(shortFloat(value.value)));
    case 'list': {
      const texts: string[] = [];
      for (const one of value.values) {
        const text = textOf(one, registry);
        if (!text.ok) return text;
        texts.push(text.value);
      }
      return done(JSON.stringify(texts));
    }
    case 'map': {
      const texts: [key: string, text: string][] = [];
      for (const [key, one] of value.entries) {
        const text = textOf(one, registry);
        if (!text.ok) return text;
        texts.push([renderText(key), text.value]);
      }
      return done(JSON.stringify(Object.fromEntries(texts)));
    }
    case 'message':
      return messageText(value.value, registry);
    default:
      return done(String(value.value));
  }
}

/** Converts a value of a run, which may be large, to text like `textOf`. */
export function textOfRun(value: Value, { meter, registry }: Work): Outcome<string> {
  if (value.kind === 'string') return done(value.value);
  meter.spend(unitsOfRendering * valueWork(value, meter.left, registry));
  return textOf(value, registry);
}

/** Like `textOfRun`, for transforms that never fail: a value without a text form is empty. */
export function textOrEmpty(value: Value, work: Work): string {
  return orEmpty(textOfRun(value, work));
}

/** Units of work to render a part of a value, per unit to read it. */
const unitsOfRendering = 4;

type Change = (text: string, meter: WorkMeter) => Outcome<string> | string;

/** Returns the step of a text transform. Absent values pass through. */
export function onText(change: Change): (value: Value | undefined, work: Work) => Outcome<Value> {
  return (value, work) => {
    if (value === undefined || value.kind === 'absent') return done({ kind: 'absent' });
    const text = textOfRun(value, work);
    if (!text.ok) return text;
    const changed = change(text.value, work.meter);
    if (typeof changed === 'string') return done({ kind: 'string', value: changed });
    return changed.ok ? done({ kind: 'string', value: changed.value }) : failed(changed.detail);
  };
}

/** Like `onText`, for transforms that never fail. */
export function onAnyText(
  change: (text: string, meter: WorkMeter) => string,
): (value: Value | undefined, work: Work) => Outcome<Value> {
  return (value, work) => {
    if (value === undefined || value.kind === 'absent') return done({ kind: 'absent' });
    return done({ kind: 'string', value: change(textOrEmpty(value, work), work.meter) });
  };
}

function orEmpty(text: Outcome<string>): string {
  return text.ok ? text.value : '';
}

function messageText({ desc, message }: ReflectMessage, registry: Registry | undefined): Outcome<string> {
  try {
    return done(JSON.stringify(toProtoJson(desc, message, registry)));
  } catch (error) {
    return failed(noTextForm(desc.typeName, thrownMessage(error)));
  }
}

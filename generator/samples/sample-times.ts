import { nanosOf } from './sample-json.ts';

/** Parts of a ProtoJSON duration, as digits. */
interface DurationParts {
  /** `-` or empty; applies to both parts. */
  sign: string;
  seconds: string;
  nanos: string;
}

/** Splits a duration: `-1.5s` has the parts `-`, `1` and `500000000`. */
export function durationParts(text: string): DurationParts {
  const [, sign = '', seconds = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(text) ?? [];
  return { sign, seconds, nanos: nanosOf(fraction) };
}

/** Returns the seconds and nanoseconds of a duration, both with the sign. */
export function signedParts({ sign, seconds, nanos }: DurationParts): [seconds: string, nanos: string] {
  const signed = (digits: string): string => (digits === '0' ? digits : `${sign}${digits}`);
  return [signed(seconds), signed(nanos)];
}

/** Returns the seconds since 1970 and nanoseconds of a ProtoJSON timestamp. */
export function epochParts(text: string): [seconds: string, nanos: string] {
  const [, second = '', fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return [String(Math.floor(Date.parse(`${second}Z`) / 1000)), nanosOf(fraction)];
}

/** Year, month, day, hour, minute and second of a ProtoJSON timestamp, without leading zeros. */
export function calendarParts(text: string): { date: string[]; nanos: string } {
  const [, year = '1970', month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = ''] =
    /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  const date = [year, month, day, hour, minute, second].map((digits) => String(Number(digits)));
  return { date, nanos: nanosOf(fraction) };
}

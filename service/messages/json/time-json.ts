import type { DescMessage } from '@bufbuild/protobuf';
import { containsField } from '../contains-field.ts';

/**
 * Reports invalid times that `fromJson` accepts and changes: it turns February 31 into March 3, and `5seconds` into `5s`. Rejecting
 * them keeps a call from running with a time that its caller did not write.
 */
export function timeProblem(typeName: string, json: unknown): string | undefined {
  if (typeof json !== 'string') return undefined;
  if (typeName === timestamp) return dateProblem(json);
  if (typeName === duration && !/^-?\d+(\.\d{1,9})?s$/.test(json)) {
    return 'write seconds with at most nine decimals and an "s", for example "1.5s"';
  }
  return undefined;
}

const timestamp = 'google.protobuf.Timestamp';
const duration = 'google.protobuf.Duration';

const containsTimeField = containsField((field) => field.message !== undefined && isTime(field.message));

/** Reports whether JSON of the type may contain a time. */
export function containsTime(type: DescMessage): boolean {
  return isTime(type) || containsTimeField(type);
}

function isTime({ typeName }: DescMessage): boolean {
  return typeName === timestamp || typeName === duration;
}

function dateProblem(text: string): string | undefined {
  const date = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):/.exec(text);
  if (date === null) return undefined;
  const [, year, month, day, hour] = date.map(Number) as [number, number, number, number, number];
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth) return 'the date does not exist';
  return hour > 23 ? 'the hour is out of range' : undefined;
}

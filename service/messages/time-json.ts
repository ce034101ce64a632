import type { DescMessage } from '@bufbuild/protobuf';
import { createReach } from './reaches.ts';

/**
 * Times that `fromJson` lets pass and changes: February 31 becomes March 3, `5seconds` becomes `5s`. A call is refused rather
 * than run with another time than its caller wrote.
 */
export function timeProblem(typeName: string, json: unknown): string | undefined {
  if (typeof json !== 'string') return undefined;
  if (typeName === timestamp) return dateProblem(json);
  if (typeName === duration && !/^-?\d+(\.\d{1,9})?s$/.test(json)) {
    return 'a duration is seconds with at most nine decimals and an "s", as in "1.5s"';
  }
  return undefined;
}

const timestamp = 'google.protobuf.Timestamp';
const duration = 'google.protobuf.Duration';

const reachesTimeBelow = createReach((field) => field.message !== undefined && isTime(field.message));

/** Whether JSON of the type may hold a time. */
export function reachesTime(type: DescMessage): boolean {
  return isTime(type) || reachesTimeBelow(type);
}

function isTime({ typeName }: DescMessage): boolean {
  return typeName === timestamp || typeName === duration;
}

function dateProblem(text: string): string | undefined {
  const date = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):/.exec(text);
  if (date === null) return undefined;
  const [, year, month, day, hour] = date.map(Number) as [number, number, number, number, number];
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth) return 'there is no such day';
  return hour > 23 ? 'there is no such hour' : undefined;
}

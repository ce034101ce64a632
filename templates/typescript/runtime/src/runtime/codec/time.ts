import { kindOf } from "./json.ts";
import { ValueProblem } from "./value-problem.ts";

const timestampForm =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;
const durationForm = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;
const longestDuration = 315_576_000_000;

/** Formats a time (RFC 3339 string or Date) as a canonical string in UTC. */
export function canonicalTimestamp(value: unknown): string {
  if (isDate(value)) {
    if (Number.isNaN(value.getTime())) throw new ValueProblem("invalid Date");
    return canonicalTimestamp(value.toISOString());
  }
  const [, local = "", fraction = "", zone = ""] = match(
    timestampForm,
    value,
    "a timestamp such as 2026-01-31T12:00:00Z",
  );
  const wall = new Date(`${local}Z`);
  // Date rejects days past the end of a month or moves them to the next month.
  if (Number.isNaN(wall.getTime()) || !wall.toISOString().startsWith(local))
    throw new ValueProblem("invalid date or time");
  const utc = new Date(wall.getTime() - zoneMs(zone)).toISOString();
  if (!/^(?!0000)\d{4}-/.test(utc))
    throw new ValueProblem("the timestamp is outside the years 1 to 9999");
  return `${utc.slice(0, 19)}${canonicalFraction(fraction)}Z`;
}

/** Avoids `instanceof`, because each frame of a page has its own class. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]";
}

/** Formats a duration such as `1.5s` canonically. */
export function canonicalDuration(value: unknown): string {
  const [, sign = "", whole = "", fraction = ""] = match(
    durationForm,
    value,
    "a duration such as 1.5s",
  );
  const seconds = Number(whole);
  const digits = canonicalFraction(fraction);
  if (seconds > longestDuration)
    throw new ValueProblem("the duration exceeds 10,000 years");
  const isZero = seconds === 0 && digits === "";
  return `${isZero ? "" : sign}${String(seconds)}${digits}s`;
}

/** Formats a fraction with 0, 3, 6 or 9 digits. */
function canonicalFraction(digits: string): string {
  const needed = digits.replace(/0+$/, "");
  const length = Math.ceil(needed.length / 3) * 3;
  return length === 0 ? "" : `.${needed.padEnd(length, "0")}`;
}

function zoneMs(zone: string): number {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) throw new ValueProblem("invalid UTC offset");
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function match(form: RegExp, value: unknown, expected: string): string[] {
  const text = typeof value === "string" ? value : undefined;
  const found = text === undefined ? null : form.exec(text);
  if (found !== null) return found;
  const got = text === undefined ? kindOf(value) : JSON.stringify(text);
  throw new ValueProblem(`expected ${expected}, got ${got}`);
}

import { celMethod, CelScalar, objectType } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';
import { timestampDate, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { BoundedCache } from '../../../bounded-cache.ts';

const { INT, STRING } = CelScalar;
const timestamp = objectType(TimestampSchema);

/** Time zone formats to cache. */
const cachedZones = 64;

const dayMs = 86_400_000;

/** Accessors by name. The UTC fields of the date hold the local time in the requested zone. */
const accessors: readonly (readonly [name: string, read: (date: Date) => number])[] = [
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  ['getDayOfYear', dayOfYear],
  ['getHours', (date) => date.getUTCHours()],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getSeconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', (date) => date.getUTCMilliseconds()],
];

/**
 * Accessors of timestamps that do not depend on the time zone of the process. The evaluator's own convert through that zone, in which
 * some local times of other zones do not exist.
 */
export function timeFunctions(): CelFunc[] {
  const zones = new BoundedCache<string, Intl.DateTimeFormat>(cachedZones);
  const inZone = (date: Date, zone: string) =>
    shifted(
      date,
      fixedOffset(zone) ??
        zoneOffset(
          date,
          zones.getOrMake(zone, () => formatOf(zone)),
        ),
    );
  return accessors.flatMap(([name, read]) => [
    celMethod(name, timestamp, [], INT, function () {
      return BigInt(read(timestampDate(this.message)));
    }),
    celMethod(name, timestamp, [STRING], INT, function (zone) {
      return BigInt(read(inZone(timestampDate(this.message), zone)));
    }),
  ]);
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / dayMs);
}

function shifted(date: Date, offsetMs: number): Date {
  return new Date(date.getTime() + offsetMs);
}

/** `+02:00`, `-02:00`, `02:00` */
function fixedOffset(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours === undefined) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -offset : offset;
}

/** @throws RangeError for an unknown time zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** Returns the offset of the zone from UTC at that time, in milliseconds. */
function zoneOffset(date: Date, format: Intl.DateTimeFormat): number {
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const local = new Date(0);
  local.setUTCFullYear(year, number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'), date.getUTCMilliseconds());
  return local.getTime() - date.getTime();
}

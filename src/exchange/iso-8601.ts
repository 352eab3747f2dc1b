// Reads a point in time as ISO 8601 writes it: date, time and zone. Grammar (extended or basic form):
//   date  YYYY-MM-DD | YYYYMMDD | YYYY-Www-D | YYYYWwwD | YYYY-DDD | YYYYDDD
//   time  hh | hh:mm | hhmm | hh:mm:ss | hhmmss, then a fraction of the last part: [.,] and any number of digits
//   zone  Z | ±hh | ±hh:mm | ±hhmm
// "T" and "Z" may be small letters, as RFC 3339 allows. 24:00:00 and a leap second are allowed.
const CALENDAR = /^(\d{4})(-?)(\d{2})\2(\d{2})$/;
const WEEK = /^(\d{4})(-?)W(\d{2})\2([1-7])$/;
const ORDINAL = /^(\d{4})-?(\d{3})$/;
const TIME = /^(\d{2})(?:(:?)(\d{2})(?:\2(\d{2}))?)?(?:[.,](\d+))?$/;
const ZONE = /(?:Z|[+\-\u2212]\d{2}(?::?\d{2})?)$/i;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** Longer texts are no point in time, however fine its fraction. */
const MAX_INSTANT_CHARS = 1000;

/** Epoch milliseconds of an ISO 8601 date, time and zone; null for any other text and for dates that do not exist. */
export function epochOfIso8601(text: string): number | null {
  if (text.length > MAX_INSTANT_CHARS) return null;
  const zone = ZONE.exec(text)?.[0];
  if (zone === undefined) return null;
  const [date = '', time, ...rest] = text.slice(0, -zone.length).split(/T/i);
  if (time === undefined || rest.length > 0) return null;
  const dayMs = dateMs(date);
  const clockMs = timeMs(time);
  const aheadMs = offsetMs(zone);
  return dayMs === null || clockMs === null || aheadMs === null ? null : dayMs + clockMs - aheadMs;
}

function dateMs(date: string): number | null {
  const [, year, , month, day] = CALENDAR.exec(date) ?? [];
  if (year !== undefined) return calendarMs(Number(year), Number(month), Number(day));
  const [, weekYear, , week, weekday] = WEEK.exec(date) ?? [];
  if (weekYear !== undefined) return weekMs(Number(weekYear), Number(week), Number(weekday));
  const [, ordinalYear, ordinal] = ORDINAL.exec(date) ?? [];
  if (ordinalYear === undefined) return null;
  const ms = utcMs(Number(ordinalYear), 0, Number(ordinal));
  return Number(ordinal) >= 1 && new Date(ms).getUTCFullYear() === Number(ordinalYear) ? ms : null;
}

function calendarMs(year: number, month: number, day: number): number | null {
  const ms = utcMs(year, month - 1, day);
  const read = new Date(ms);
  return read.getUTCMonth() === month - 1 && read.getUTCDate() === day ? ms : null;
}

/** ISO weeks: week 1 holds January 4, and a week belongs to the year that its Thursday is in. */
function weekMs(year: number, week: number, weekday: number): number | null {
  const fourth = utcMs(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (week - 1) * 7 * DAY_MS;
  const thursday = new Date(monday + 3 * DAY_MS);
  return week >= 1 && thursday.getUTCFullYear() === year ? monday + (weekday - 1) * DAY_MS : null;
}

/** Date.UTC without its reading of the years 0 to 99 as 1900 to 1999. */
function utcMs(year: number, monthIndex: number, day: number): number {
  return new Date(0).setUTCFullYear(year, monthIndex, day);
}

function timeMs(time: string): number | null {
  const [matched, hour, , minute, second, fraction] = TIME.exec(time) ?? [];
  if (matched === undefined) return null;
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)];
  if (hours > 24 || minutes > 59 || seconds > 60) return null;
  const lastPartMs = second !== undefined ? SECOND_MS : minute !== undefined ? MINUTE_MS : HOUR_MS;
  const fractionMs = fraction === undefined ? 0 : Number(`0.${fraction}`) * lastPartMs;
  const ms = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + fractionMs;
  return hours === 24 && ms !== DAY_MS ? null : ms;
}

function offsetMs(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('+') ? 1 : -1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

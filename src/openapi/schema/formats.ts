// Formats as descriptions use them: those of ajv-formats, and our own where those admit or refuse more than the RFCs do.
import type { Ajv, Format } from 'ajv';
import addFormats, { type FormatName } from 'ajv-formats';

/** Formats that are asserted; any other says nothing. Source: SCH-01. */
const ASSERTED = [
  'date-time',
  'date',
  'time',
  'email',
  'uri',
  'uuid',
  'hostname',
  'ipv4',
  'ipv6',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
] as const satisfies readonly FormatName[];

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/** Source: RFC 1123, 2.1. */
const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`, 'i');
/** Source: RFC 9562, 4. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** The part before the @. Source: RFC 5321, 4.1.2 (Dot-string and Quoted-string). */
const DOTTED = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
/** Source: RFC 3339, 5.6; a space in place of the T is read as well. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The parts of formats that are read by an expression each. */
export const EXPRESSIONS: Readonly<Record<string, RegExp>> = { DOTTED, QUOTED, DATE_TIME };

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return at > 0 && (DOTTED.test(local) || QUOTED.test(local)) && isMailDomain(domain);
}

/** Source: RFC 5321, 4.1.3 for the literals of addresses. */
function isMailDomain(domain: string): boolean {
  const literal = /^\[(?:(IPv6:)([^\]]+)|([^\]]+))\]$/i.exec(domain);
  if (literal === null) return HOSTNAME.test(domain);
  return literal[1] === undefined ? isOfLibrary('ipv4', literal[3]) : isOfLibrary('ipv6', literal[2]);
}

function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null || !isOfLibrary('date', parts[1])) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = [2, 3, 4, 6, 7].map((index) => Number(parts[index] ?? 0));
  if (Math.max(hour as number, offsetHour as number) > 23) return false;
  if (Math.max(minute as number, offsetMinute as number) > 59) return false;
  const away = ((offsetHour as number) * 60 + (offsetMinute as number)) * (parts[5] === '-' ? -1 : 1);
  const utcMinute = (hour as number) * 60 + (minute as number) - away;
  // A leap second ends the day in UTC.
  const isLastOfDay = (utcMinute + 2 * 24 * 60) % (24 * 60) === 24 * 60 - 1;
  return (second as number) <= 59 || ((second as number) === 60 && isLastOfDay);
}

/** Source: RFC 3986, 3.2.2, 3.2.3 and 3.3. */
function isUri(text: string): boolean {
  if (!isOfLibrary('uri', text)) return false;
  const { authority = '', path = '' } = /^[^:]*:(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)/.exec(text)?.groups ?? {};
  const literal = /\[([^\]v][^\]]*)\]/i.exec(authority)?.[1];
  if (literal !== undefined && !isOfLibrary('ipv6', literal)) return false;
  return /^(?:.*@)?(?:\[[^\]]*\]|[^:]*)(?::\d*)?$/.test(authority) && !/[[\]]/.test(path);
}

/** The ends are the next numbers to the last 64-bit integers, and are read for them. Source: OpenAPI 3.0, data types. */
const MAX_INT64 = 2 ** 63;

const OWN: Readonly<Partial<Record<FormatName, Format>>> = {
  'date-time': isDateTime,
  email: isEmail,
  hostname: HOSTNAME,
  int64: { type: 'number', validate: (value) => Number.isInteger(value) && Math.abs(value) <= MAX_INT64 },
  // The contract asserts no times, and many that mean RFC 3339 write theirs without a zone.
  time: ofLibrary('iso-time'),
  uri: isUri,
  uuid: UUID,
};

function ofLibrary(name: FormatName): Format {
  return addFormats.default.get(name);
}

function isOfLibrary(name: FormatName, value: unknown): boolean {
  return obeys(ofLibrary(name), value);
}

/** Formats by name. */
export const FORMATS: Readonly<Record<string, Format>> = Object.fromEntries(
  ASSERTED.map((name) => [name, OWN[name] ?? ofLibrary(name)]),
);

export function assertFormats(ajv: Ajv): void {
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
}

/** Tells whether the value is of the format as far as that is asserted; what a format says nothing of is. */
export function isOfFormat(format: string, value: unknown): boolean {
  const definition = FORMATS[format];
  return definition === undefined || obeys(definition, value);
}

function obeys(definition: Format, value: unknown): boolean {
  if (typeof definition === 'boolean') return definition;
  if (typeof definition === 'string') return typeof value !== 'string' || new RegExp(definition).test(value);
  if (definition instanceof RegExp) return typeof value !== 'string' || definition.test(value);
  if (typeof definition === 'function') return typeof value !== 'string' || definition(value);
  if (definition.type === 'number')
    return typeof value !== 'number' || (definition.validate as (number: number) => boolean)(value);
  const { validate } = definition;
  if (typeof value !== 'string') return true;
  return validate instanceof RegExp ? validate.test(value) : (validate as (text: string) => boolean)(value);
}

// Knows the members by which a resource tells its state: that it is hidden, that it is deleted, that it was looked at.
import { isObject, type JsonObject, membersOf } from '../openapi/json.ts';
import { snakeCase, textOf } from './differences.ts';

const STATE =
  /^(status|state|phase|stage|lifecycle|condition|visibility)$|_(status|state|phase|stage)$|^(is_)?(active|enabled|available|published|visible|approved|verified|confirmed|public|live|listed|archived|deleted|disabled|hidden|draft|private|removed|cancell?ed|closed|trashed|inactive|valid|current|open)$/;
const HIDDEN =
  /draft|pending|inactive|hidden|private|disabled|unpublish|unverified|unconfirmed|unlisted|process|queued|schedul|review|invited|provision|creating|initial/i;
const DELETED =
  /delet|remov|archiv|trash|cancel|inactiv|deactiv|disabl|clos|terminat|revok|void|expir|retired|withdrawn|discard|purg|destroy|dead|gone|end(ed)?$|suspend/i;
/** Members that are there, or true, once the resource is deleted. */
const DELETION =
  /^(is_)?(soft_)?(deleted?|removed?|archived?|trashed|cancell?ed|discarded|deactivated|disabled|revoked|closed|terminated|purged|inactive|destroyed|deletion)(_(at|on|date|time|by|reason|requested|scheduled))*$/;

/** Tells whether a member of this name tells a state by which lists may filter. */
export function isStateName(name: string): boolean {
  return STATE.test(snakeCase(name));
}

/** Tells whether the state is one that a list may leave out by itself. */
export function readsAsHidden(name: string, value: unknown): boolean {
  return typeof value === 'boolean' ? isStateName(name) : typeof value === 'string' && HIDDEN.test(value);
}

/** Tells whether the member puts the resource into a state in which it may no longer be read. */
export function readsAsGone(name: string, value: unknown): boolean {
  if (DELETION.test(snakeCase(name))) return true;
  return isStateName(name) && (typeof value !== 'string' || HIDDEN.test(value) || DELETED.test(value));
}

/** A date, or a time. */
const DATED = /^\d{4}-\d{2}-\d{2}/;

/**
 * Tells whether what was sent may keep a new resource from being read: by a state of its own, or by a time at which it
 * begins or ends.
 */
export function mayBeHidden(sent: JsonObject): boolean {
  return membersOf(sent).some(
    ([name, value]) => readsAsGone(name, value) || readsAsHidden(name, value) || DATED.test(String(value)),
  );
}

/**
 * The member by which a resource says that it is deleted, changed since `before` was read; null where it says nothing.
 * `before` is null where it could not be read.
 */
export function deletionShown(before: JsonObject | null, after: JsonObject): string | null {
  const objects: readonly (readonly [JsonObject, JsonObject | null])[] = [
    [after, before],
    ...membersOf(after).flatMap(([name, value]) => {
      const earlier = before?.[name];
      return isObject(value) ? [[value, isObject(earlier) ? earlier : null] as const] : [];
    }),
  ];
  for (const [now, then] of objects) {
    for (const [name, value] of membersOf(now)) {
      if (then !== null && textOf(then[name]) === textOf(value)) continue;
      if (saysDeleted(snakeCase(name), value, then !== null)) return name;
    }
  }
  return null;
}

/** A state that has changed tells of the deletion whatever it is called; one of which that is not known must name it. */
function saysDeleted(name: string, value: unknown, hasChanged: boolean): boolean {
  if (DELETION.test(name))
    return value !== null && value !== false && value !== 0 && value !== '' && value !== undefined;
  if (!STATE.test(name)) return false;
  if (typeof value === 'boolean') return hasChanged && !value;
  return typeof value === 'string' && (hasChanged || DELETED.test(value));
}

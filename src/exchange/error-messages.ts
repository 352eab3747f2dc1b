// Error messages may hold end users' personal data: none leaves the program as it came. Source: Errors, CLIENT-11.

const MESSAGE = /("message"\s*:\s*)"((?:[^"\\]|\\.)*)("?)/gs;

/** The body of an error with every `message` text replaced by its length; any other body as it is. Works on cut and malformed JSON too. */
export function redactErrorMessages(body: string): string {
  if (!body.includes('"error"') && !body.includes('"errors"')) return body;
  const value = parse(body);
  if (value !== undefined && !isErrorBody(value)) return body;
  if (value !== undefined && hasStructuredMessage(value)) return withoutStructured(value, body);
  return body.replaceAll(MESSAGE, (_, key: string, text: string) => `${key}"${replacement(unescaped(text))}"`);
}

/** The text without what it quotes of the messages of an error's body. */
export function redactQuoted(text: string, body: string): string {
  if (!body.includes('"message"') || !isErrorBody(parse(body))) return text;
  const messages = [...body.matchAll(MESSAGE)].map(([, , message = '']) => unescaped(message));
  return messages
    .filter((message) => message.trim() !== '')
    .toSorted((left, right) => right.length - left.length)
    .reduce((rest, message) => rest.replaceAll(message, replacement(message)), text);
}

function replacement(text: string): string {
  return `[redacted message, ${text.length} characters]`;
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isErrorBody(value: unknown): value is { error?: unknown; errors?: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  return isContainer((value as { error?: unknown }).error) || isContainer((value as { errors?: unknown }).errors);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The body without its messages; nothing of it where it is nested too deeply to be written again. */
function withoutStructured(value: unknown, body: string): string {
  try {
    return JSON.stringify(value, redactMember);
  } catch {
    return `[redacted body with messages, nested too deeply to show: ${body.length} characters]`;
  }
}

/** A message that is no string, as only a faulty platform sends it, cannot be cut out of the text. Walks without recursion. */
function hasStructuredMessage(root: object): boolean {
  const open: object[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const [name, member] of Object.entries(value)) {
      if (!isContainer(member)) continue;
      if (name === 'message') return true;
      open.push(member);
    }
  }
  return false;
}

function redactMember(name: string, member: unknown): unknown {
  if (name !== 'message' || member === null) return member;
  return replacement(typeof member === 'string' ? member : JSON.stringify(member));
}

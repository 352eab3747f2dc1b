// Reads what the text of a form says, part by part, as it stands. Source: RFC 7578; WHATWG URL, 5.1.

/** One entry of a form. */
export interface FormPart {
  readonly name: string;
  readonly text: string;
  readonly isFile: boolean;
  /** As the part states it; null where it states none. */
  readonly contentType: string | null;
}

/** Longer forms carry files, which nobody compares. Characters. */
const MAX_FORM_CHARS = 1_000_000;

/** The parts of the form; null for what is no form, or none that can be read. */
export function formParts(text: string, contentType: string): readonly FormPart[] | null {
  if (text.length > MAX_FORM_CHARS) return null;
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return [...new URLSearchParams(text)].map(([name, one]) => ({ name, text: one, isFile: false, contentType: null }));
  const [, quoted, plain] = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return null;
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`);
  // Text before the first boundary and after the last is no part.
  return pieces.length < 2 ? null : pieces.slice(1, -1).flatMap((piece) => partOf(piece) ?? []);
}

function partOf(piece: string): FormPart | null {
  const end = piece.indexOf('\r\n\r\n');
  const head = piece.slice(0, end);
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const name = /[;\s]name="([^"]*)"/i.exec(disposition)?.[1];
  if (end < 0 || name === undefined) return null;
  return {
    name: name.replaceAll('%22', '"'),
    text: piece.slice(end + '\r\n\r\n'.length),
    isFile: /[;\s]filename\*?=/i.test(disposition),
    contentType: /^content-type:\s*([^\s;]+)/im.exec(head)?.[1] ?? null,
  };
}

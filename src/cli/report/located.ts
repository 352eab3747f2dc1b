// Where in the descriptions a finding belongs, for people who open the file and for code-scanning servers.
import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { Finding, Report } from '../../contract/report.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { linesIn } from '../../openapi/read/lines.ts';

/**
 * The report, its violations and advisories with the file and the line of their operation, or of the place in the
 * description that they are about. A description that is a URL, or cannot be read again, is named without a line.
 */
export async function located(report: Report, descriptions: readonly Description[], cwd: string): Promise<Report> {
  const places = await Promise.all(report.services.map((row) => placesOf(row, report.findings, descriptions, cwd)));
  const byService = new Map(places.flatMap((place) => (place === null ? [] : [[place.service, place]])));
  const findings = report.findings.map((finding) => {
    const place = byService.get(finding.service ?? '');
    if (place === undefined || finding.kind === 'observation') return finding;
    const line = place.lineOf(finding);
    return { ...finding, location: { file: place.file, ...(line === undefined ? {} : { line }) } };
  });
  return { ...report, findings };
}

interface Places {
  readonly service: string;
  readonly file: string;
  lineOf(finding: Finding): number | undefined;
}

async function placesOf(
  { name, spec }: Report['services'][number],
  findings: readonly Finding[],
  descriptions: readonly Description[],
  cwd: string,
): Promise<Places | null> {
  const description = descriptions.find(({ service }) => service === name);
  const own = findings.filter(({ service, kind }) => service === name && kind !== 'observation');
  if (description === undefined || spec === null || own.length === 0) return null;
  const pointers = new Map(description.operations.map(({ key, pointer }) => [key, pointer]));
  const pointerOf = (finding: Finding): string => {
    const isOnDescription = finding.curl === null && finding.pointer !== null;
    return isOnDescription ? (finding.pointer ?? '') : (pointers.get(finding.operation ?? '') ?? '');
  };
  const text = await readFile(description.file, 'utf8').catch(() => '');
  const lines = linesIn(text, own.map(pointerOf));
  return {
    service: name,
    file: nameFrom(cwd, description.file) ?? spec,
    lineOf: (finding) => lines?.get(pointerOf(finding)),
  };
}

/** The file as a repository names it whose root is this folder; null for what lies elsewhere. */
export function nameFrom(cwd: string, file: string): string | null {
  const path = relative(cwd, file);
  return !isAbsolute(file) || path.startsWith('..') || isAbsolute(path) ? null : path.split(sep).join('/');
}

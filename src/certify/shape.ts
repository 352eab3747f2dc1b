// Whether a file has the form of a certificate, or of a report.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** What the certificate's schema says against it, a sentence each; empty: nothing. */
export function certificateProblems(value: unknown): readonly string[] {
  return problems('certificate.json', join(import.meta.dirname, 'certificate.schema.json'), value);
}

/** The same for a report. */
export function reportProblemsOf(value: unknown): readonly string[] {
  return problems('report.json', join(import.meta.dirname, '..', 'contract', 'report.schema.json'), value);
}

function problems(name: string, schema: string, value: unknown): readonly string[] {
  const validate = compiled(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}

const known = new Map<string, ValidateFunction>();

function compiled(file: string): ValidateFunction {
  const before = known.get(file);
  if (before !== undefined) return before;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  known.set(file, validate);
  return validate;
}

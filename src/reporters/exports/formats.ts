// The stacks that findings are written as tests for: the file of each, and how it is run.

export const FORMATS = {
  vitest: { file: 'findings.test.js', run: 'npx vitest run findings.test.js' },
  k6: { file: 'findings.k6.js', run: 'k6 run findings.k6.js' },
  http: { file: 'findings.http', run: 'npx httpyac send findings.http --all' },
  postman: {
    file: 'findings.postman_collection.json',
    run: 'npx newman run findings.postman_collection.json --timeout-request 30000',
  },
  schemathesis: { file: 'test_findings.py', run: 'pytest test_findings.py' },
} as const;

export type ExportFormat = keyof typeof FORMATS;
export const EXPORT_FORMATS = Object.keys(FORMATS) as readonly ExportFormat[];

// Languages other than ours: the example clients in them are tried where the language is, and so is what is written for their tools.
import { spawnSync } from 'node:child_process';

interface Language {
  /** Why nothing can be tried in it; null: it is there. */
  readonly missing: string | null;
  /** What the suites are called that need it. */
  readonly suites: string;
}

function language(name: string, program: string, argument: string): Language {
  const isThere = spawnSync(program, [argument]).status === 0;
  return { missing: isThere ? null : `there is no ${program}`, suites: `with ${name}` };
}

export const PYTHON = language('Python', 'python3', '--version');
export const GO = language('Go', 'go', 'version');

/** A Python that has Schemathesis. */
export const PYTHON_WITH_SCHEMATHESIS = process.env.ASSAY_PYTHON ?? 'python3';

const hasSchemathesis = spawnSync(PYTHON_WITH_SCHEMATHESIS, ['-c', 'import schemathesis, pytest']).status === 0;

export const SCHEMATHESIS: Language = {
  missing: hasSchemathesis ? null : 'no Python has Schemathesis and pytest: name one by ASSAY_PYTHON',
  suites: 'with Schemathesis',
};

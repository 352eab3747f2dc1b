// A first contract file, put together from its parts. The text loads as it is.

import { plural } from '../../contract/numbers.ts';
import type { Seen } from '../../facts/seen.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { terminalText } from '../../reporters/text.ts';
import { draftedErrors } from './drafted-errors.ts';
import { draftedConditions, draftedKeys, draftedLimits } from './drafted-headers.ts';
import { draftedLists } from './drafted-lists.ts';
import { type Line, line } from './parts.ts';

/** The schema by which `yaml-language-server` completes. */
const SCHEMA = './node_modules/assay/dist/src/config/contract.schema.json';

export interface Drafted {
  readonly text: string;
  /** Lines that the API's owner has to answer. */
  readonly questions: number;
}

/** `isOffline`: nothing was asked of the target. */
export function draftedContract(
  seen: readonly Seen[],
  descriptions: readonly Description[],
  { isOffline }: { readonly isOffline: boolean },
): Drafted {
  const parts = [
    draftedErrors(seen, descriptions),
    draftedLists(seen, descriptions),
    draftedLimits(seen, { isOffline }),
    draftedKeys(descriptions),
    draftedConditions(seen, descriptions),
  ];
  const title = descriptions[0]?.title.replaceAll(/\s+/g, ' ').trim() || 'API';
  const presets = parts
    .flatMap((part) => part.extends)
    .filter((line, at, all) => all.findIndex(({ text }) => text === line.text) === at);
  const lines: readonly Line[] = [
    line('contract: 1'),
    line(`name: ${JSON.stringify(`${title} contract`)}`),
    ...extending(presets),
    ...parts.flatMap((part) => part.lines),
  ];
  const from = isOffline ? 'its description alone' : `its description and ${plural(seen.length, 'answer')}`;
  const head = [
    `# yaml-language-server: $schema=${SCHEMA}`,
    `# Drafted from ${from}: correct what is wrong, answer what is asked.`,
  ];
  return {
    text: `${[...head, ...lines.map(written)].join('\n')}\n`,
    questions: lines.filter(({ why }) => why.includes('?')).length,
  };
}

function extending(presets: readonly Line[]): readonly Line[] {
  if (presets.length === 0) return [];
  return [line('extends:'), ...presets.map(({ text, why }) => line(`  - ${text}`, why))];
}

const WHY_COLUMN = 48;

/** Comments stand below each other where the line leaves room for them. */
function written({ text, why }: Line): string {
  const comment = `# ${terminalText(why).replaceAll(/\s+/g, ' ')}`;
  if (text === '') return comment;
  return why === '' ? text : `${text.padEnd(WHY_COLUMN - 2)}  ${comment}`;
}

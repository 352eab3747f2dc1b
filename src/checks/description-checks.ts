// Every check that judges a description, before anything is sent.
import type { DescriptionCheck } from './check.ts';
import { spec01 } from './spec/spec-01.ts';
import { spec02 } from './spec/spec-02.ts';
import { spec03 } from './spec/spec-03.ts';
import { spec04 } from './spec/spec-04.ts';
import { spec05 } from './spec/spec-05.ts';
import { spec06 } from './spec/spec-06.ts';
import { spec07 } from './spec/spec-07.ts';
import { spec08 } from './spec/spec-08.ts';
import { spec09 } from './spec/spec-09.ts';
import { spec10 } from './spec/spec-10.ts';

export const DESCRIPTION_CHECKS: readonly DescriptionCheck[] = [
  spec01,
  spec02,
  spec03,
  spec04,
  spec05,
  spec06,
  spec07,
  spec08,
  spec09,
  spec10,
];

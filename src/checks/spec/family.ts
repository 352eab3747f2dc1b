// The SPEC checks: they judge a description before anything is sent.
import type { DescriptionCheck } from '../check.ts';
import { spec01 } from './spec-01.ts';
import { spec02 } from './spec-02.ts';
import { spec03 } from './spec-03.ts';
import { spec04 } from './spec-04.ts';
import { spec05 } from './spec-05.ts';
import { spec06 } from './spec-06.ts';
import { spec07 } from './spec-07.ts';
import { spec08 } from './spec-08.ts';
import { spec09 } from './spec-09.ts';
import { spec10 } from './spec-10.ts';

export const specChecks: readonly DescriptionCheck[] = [
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

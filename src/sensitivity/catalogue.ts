// All plants. Their clauses are those that a defect of the target can break and that answers can show.
import type { AnswerPlant, ExperimentPlant } from './plant.ts';
import { answerPlants } from './plants/answers.ts';
import { errorPlants } from './plants/errors.ts';
import { keyPlants } from './plants/keys.ts';
import { limitPlants } from './plants/limits.ts';
import { badValuePlants, followedPlants, listPlants } from './plants/lists.ts';
import { lifePlants } from './plants/lives.ts';
import { refusalPlants } from './plants/refusals.ts';
import { schemaPlants } from './plants/schemas.ts';
import { tagPlants } from './plants/tags.ts';

/** Those that one answer shows. */
export const ANSWER_PLANTS: readonly AnswerPlant[] = [...schemaPlants, ...answerPlants, ...errorPlants];

/** Those that an experiment shows. */
export const EXPERIMENT_PLANTS: readonly ExperimentPlant[] = [
  ...refusalPlants,
  ...listPlants,
  ...badValuePlants,
  ...followedPlants,
  ...keyPlants,
  ...lifePlants,
  ...tagPlants,
  ...limitPlants,
];

// The laws of LIFE, in the order in which they speak of a fact.
import type { ItemLaw, RequestLaw } from './law.ts';
import { createdIsListed, createdIsReadable, staysThere } from './life-01-created.ts';
import { sentIsListed } from './life-02-listed.ts';
import { nullIsRead } from './life-02-nulls.ts';
import { sentIsRead } from './life-02-sent-is-read.ts';
import { steeredIsKept, steeredIsTaken } from './life-02-steered.ts';
import { othersAreKept, stateIsKept, updateIsPartial } from './life-03-partial-update.ts';
import { deletedIsGone, deletedIsUnlisted } from './life-04-deleted.ts';
import { conflictChangesNothing, conflictMakesNothing, refusedLeavesNothing } from './life-05-refused-create.ts';
import { readsAlike } from './life-06-reads-alike.ts';
import { assignmentIsRefused, nothingIsAssigned, nothingIsAssignedAnew } from './life-07-mass-assignment.ts';
import { knownNameIsObserved, lateIsObserved } from './life-08-observed.ts';

export const LIFE_LAWS: readonly ItemLaw[] = [
  createdIsReadable,
  staysThere,
  createdIsListed,
  sentIsRead,
  nullIsRead,
  sentIsListed,
  steeredIsKept,
  steeredIsTaken,
  updateIsPartial,
  othersAreKept,
  stateIsKept,
  deletedIsGone,
  deletedIsUnlisted,
  refusedLeavesNothing,
  conflictChangesNothing,
  conflictMakesNothing,
  readsAlike,
  nothingIsAssigned,
  nothingIsAssignedAnew,
  lateIsObserved,
];

export const LIFE_REQUEST_LAWS: readonly RequestLaw[] = [assignmentIsRefused, knownNameIsObserved];

// What documents servers do wrong, and what they may do.
import type { ContractCase } from './cases.ts';
import type { Ways } from './documents.ts';

const defect = (clause: string, text: string, ways: Ways): ContractCase<Ways> => ({ clause, is: 'defect', text, ways });
/** Of an API whose readings alone know of tags. */
const READINGS = ['contract: 1', 'name: Documents API contract', 'conditional: { operations: ["GET /docs/*"] }'];
const ofReadings = (is: 'defect' | 'oddity', text: string, ways: Ways): ContractCase<Ways> => {
  return { clause: 'COND-02', is, text, ways, contract: READINGS };
};
const oddity = (clause: string, text: string, ways: Ways): ContractCase<Ways> => ({ clause, is: 'oddity', text, ways });

export const DOCUMENTS_CASES: readonly ContractCase<Ways>[] = [
  defect('COND-01', 'a write that names a former state is accepted', { stale: 'accepted' }),
  defect('COND-01', 'it is answered 412, and the change is made', { stale: 'changed' }),
  defect('COND-01', 'a delete is answered 412, and done', { stale: 'deletes' }),
  defect('COND-01', 'it is refused with 409', { stale: 409 }),
  defect('COND-01', 'a write that names the present state is refused', { present: 'refused' }),
  defect('COND-01', 'a weak tag is accepted', { weak: 'accepted' }),
  defect('COND-01', 'the present state among several is not found', { list: 'unknown' }),
  defect('COND-02', 'any reading that names a state is answered 304', { reading: '304-always' }),
  defect('COND-02', 'none is', { reading: '200-always' }),
  defect('COND-02', 'a 304 has no ETag', { reading: '304-without-tag' }),
  defect('COND-02', 'a 304 has a body', { reading: '304-with-body' }),
  defect('COND-02', 'tags are compared strongly', { tags: 'weak', reading: 'strong-alone' }),
  defect('COND-02', 'no reading shows a tag', { tags: 'none' }),
  defect('COND-03', 'the tag stays the same after a change', { tags: 'never-new' }),
  defect('COND-03', 'every reading has another tag', { tags: 'always-new' }),
  defect('COND-03', 'the tag is made of one member alone', { tags: 'of-title-alone' }),
  ofReadings('defect', 'the tag stays the same after a write that takes no condition', { tags: 'never-new' }),
  ofReadings('oddity', 'tags are weak, and writes take no condition', { tags: 'weak' }),
  oddity('COND-01', 'all tags are weak, and none matches', { tags: 'weak' }),
  oddity('COND-01', 'a write without a condition is refused (428)', { needsCondition: true }),
  oddity('COND-02', 'tags end in -gzip', { tags: 'coded' }),
  oddity('COND-02', 'writes show after two seconds', { lateMs: 2000 }),
  oddity('COND-03', 'the tag changes with a member that changes by itself', { tags: 'of-all-it-shows', counts: true }),
  oddity('COND-03', 'the tag does not change with it', { counts: true }),
];

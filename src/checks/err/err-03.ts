// ERR-03 (must): The code is written in the form that the contract states.
import { breached } from '../../contract/judgement.ts';
import { placeName } from '../../exchange/envelope.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { isOfForm, textsIn } from './error-object.ts';

/** Forms of codes in words; any other is a pattern. */
const FORMS: Readonly<Record<string, string>> = {
  snake_case: 'snake_case: [a-z][a-z0-9]*(_[a-z0-9]+)*',
  'kebab-case': 'kebab-case: [a-z][a-z0-9]*(-[a-z0-9]+)*',
  uri: 'a URI, absolute or relative',
};

export const err03 = errorCheck({
  clause: 'ERR-03',
  title: 'The code has the form that the contract states',
  about: (error) => textsIn(error, 'code').length > 0,
  judge(error) {
    const { at = '', form = null } = error.terms.members.code ?? {};
    const codes = textsIn(error, 'code');
    const breaches = codes.flatMap(({ pointer, text }) => {
      if (form === null || isOfForm(text, form)) return [];
      const [actual, expected] = [shortened(text), FORMS[form] ?? form];
      const kind = form === 'snake_case' ? 'err-03.not-snake-case' : 'err-03.other-form';
      const told = err(kind, { subject: placeName(at), form, actual, expected });
      return [{ weight: 'breach', ...told, expected, actual, pointer } as const];
    });
    return breached(breaches, codes.length);
  },
});

// SPEC-03 (must): There is exactly one security scheme, named `bearer`: http, bearer, JWT. Tolerance: `bearerFormat`
//   compared without regard to case.
import { type Breach, breached } from '../../contract/judgement.ts';
import { appended } from '../../openapi/json.ts';
import type { SecurityScheme } from '../../openapi/model/operation.ts';
import type { DescriptionCheck } from '../check.ts';

const POINTER = '/components/securitySchemes';
const EXPECTED = 'one security scheme, bearer: type http, scheme bearer, bearerFormat JWT';

export const spec03: DescriptionCheck = {
  clause: 'SPEC-03',
  title: 'The one security scheme is bearer: http, bearer, JWT',
  judge({ securitySchemes }) {
    const bearer = securitySchemes.find(({ name }) => name === 'bearer');
    const others = securitySchemes.filter(({ name }) => name !== 'bearer');
    const breaches = [
      ...(bearer === undefined ? [absent(others)] : formBreaches(bearer)),
      // A scheme under another name alone is one breach: bearer is absent.
      ...(bearer === undefined ? [] : others.map(further)),
    ];
    return [{ operation: null, judgement: breached(breaches, 2) }];
  },
};

function absent(others: readonly SecurityScheme[]): Breach {
  const actual =
    others.length === 0 ? 'no security scheme' : `the schemes ${others.map(({ name }) => name).join(', ')}`;
  return schemeBreach('spec-03.absent', 'the security scheme bearer is absent', actual, POINTER);
}

function further({ name }: SecurityScheme): Breach {
  const [cause, actual] = ['there is a further security scheme', `a scheme ${name} beside bearer`];
  return schemeBreach('spec-03.further-scheme', cause, actual, appended(POINTER, name));
}

function formBreaches({ type, scheme, bearerFormat }: SecurityScheme): Breach[] {
  if (type === 'http' && scheme?.toLowerCase() === 'bearer' && bearerFormat?.toLowerCase() === 'jwt') return [];
  const actual = `type ${type}, scheme ${scheme ?? 'absent'}, bearerFormat ${bearerFormat ?? 'absent'}`;
  const cause = 'the security scheme bearer is not http, bearer, JWT';
  return [schemeBreach('spec-03.other-form', cause, actual, `${POINTER}/bearer`)];
}

function schemeBreach(code: string, cause: string, actual: string, pointer: string): Breach {
  return {
    weight: 'breach',
    code,
    cause,
    message: `${cause}: ${actual}, expected ${EXPECTED}`,
    expected: EXPECTED,
    actual,
    pointer,
  };
}

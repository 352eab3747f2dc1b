// SPEC-03 (must): The security schemes are exactly those that the contract names.
import { type Breach, breached, wrong } from '../../contract/judgement.ts';
import { appended } from '../../openapi/json.ts';
import type { SecurityScheme } from '../../openapi/model/operation.ts';
import type { DescriptionCheck } from '../check.ts';

const POINTER = '/components/securitySchemes';
const EXPECTED = 'one security scheme, bearer: type http, scheme bearer, bearerFormat JWT';

export const spec03: DescriptionCheck = {
  clause: 'SPEC-03',
  title: 'The security schemes are those of the contract',
  judge({ securitySchemes }, { contract, terms }) {
    const { schemes } = terms.description;
    const expected = contract === 'commerce' ? EXPECTED : `the security schemes ${schemes.join(', ')} and no other`;
    const found = schemes.flatMap((name) => securitySchemes.find((one) => one.name === name) ?? []);
    const others = securitySchemes.filter(({ name }) => !schemes.includes(name));
    const lacking = schemes.filter((name) => !found.some((one) => one.name === name));
    const breaches = [
      ...lacking.map((name) => absent(name, others, expected)),
      ...(contract === 'commerce' ? found.flatMap(formBreaches) : []),
      // A scheme under another name alone is one breach: the stated one is absent.
      ...(lacking.length > 0 ? [] : others.map((one) => further(one, schemes, expected))),
    ];
    return [{ operation: null, judgement: breached(breaches, 2) }];
  },
};

function absent(name: string, others: readonly SecurityScheme[], expected: string): Breach {
  const actual = others.length === 0 ? 'no security scheme' : `the schemes ${others.map((one) => one.name).join(', ')}`;
  const cause = `the security scheme ${name} is absent`;
  return wrong(['spec-03.absent', cause], cause, expected, actual, POINTER);
}

function further({ name }: SecurityScheme, schemes: readonly string[], expected: string): Breach {
  const [cause, actual] = ['there is a further security scheme', `a scheme ${name} beside ${schemes.join(', ')}`];
  return wrong(['spec-03.further-scheme', cause], cause, expected, actual, appended(POINTER, name));
}

function formBreaches({ type, scheme, bearerFormat }: SecurityScheme): Breach[] {
  if (type === 'http' && scheme?.toLowerCase() === 'bearer' && bearerFormat?.toLowerCase() === 'jwt') return [];
  const actual = `type ${type}, scheme ${scheme ?? 'absent'}, bearerFormat ${bearerFormat ?? 'absent'}`;
  const cause = 'the security scheme bearer is not http, bearer, JWT';
  return [wrong(['spec-03.other-form', cause], cause, EXPECTED, actual, `${POINTER}/bearer`)];
}

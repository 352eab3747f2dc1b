// Where in a Swagger 2.0 document that stands which its OpenAPI 3.0 form has elsewhere, so that messages lead into the file
// that people wrote.

import { tokensOf } from '../json.ts';

const SECTIONS: Readonly<Record<string, string>> = {
  schemas: 'definitions',
  parameters: 'parameters',
  requestBodies: 'parameters',
  responses: 'responses',
  securitySchemes: 'securityDefinitions',
};

/**
 * The pointer into the Swagger document for one into its OpenAPI 3.0 form. A schema that is named by a pointer stands there. Where the two differ by more than a name (an
 * operation's body and its parameters, which are counted anew) it leads to the list of parameters.
 */
export function placeInSwagger(pointer: string): string {
  return pointer
    .replace(/^\/components\/schemas(\/~1[^/]+)/, (_, name) => tokensOf(name)[0] ?? '')
    .replace(/^\/components\/(\w+)/, (whole, section) => (section in SECTIONS ? `/${SECTIONS[section]}` : whole))
    .replace(/^(\/paths\/[^/]+\/[^/]+)\/(?:requestBody|parameters)(?:\/.*)?$/, '$1/parameters')
    .replace(/^((?:\/paths\/[^/]+\/[^/]+)?\/responses\/[^/]+)\/content\/[^/]+(?=\/|$)/, '$1')
    .replace(/^(\/parameters\/[^/]+)\/.*$/, '$1');
}
